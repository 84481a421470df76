/// Memory for pixels outside of a bitmap, and for rows in the pipeline.
package final class PixelBuffer {
    package let base: UnsafeMutablePointer<UInt8>
    private let storage: PixelStorage

    /// Uninitialised bytes; nil when the system has no memory left.
    package init?(byteCount: Int) {
        guard let storage = PixelStorage(byteCount: byteCount), let address = storage.bytes.baseAddress else {
            return nil
        }
        self.storage = storage
        base = address.assumingMemoryBound(to: UInt8.self)
    }
}
