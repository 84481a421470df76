/// Takes the finished rows of a picture one after the other, the top row first. One thread at a time.
public protocol PixelRowReceiver: AnyObject, Sendable {
    /// Takes the next row, which is valid only during the call.
    func receive(_ row: UnsafeRawBufferPointer)
}
