extension Bitmap {
    /// The pixels that a worker has made, where ``ReplyReader`` has found that they can be.
    ///
    /// - Parameters:
    ///   - buffers: Those of the worker, in the order in which it got them.
    ///   - hasEnded: Whether the worker has: nothing changes the pixels any more then, and they need no copy.
    convenience init(
        _ message: BitmapMessage, in buffers: [SharedBuffer], hasEnded: Bool
    ) throws(WebImageError) {
        switch message.pixels {
        case .inline(let bytes): try self.init(copying: bytes.span.bytes, as: message)
        case .buffer(let index, let offset):
            let bytes = UnsafeRawBufferPointer(buffers[index].bytes)
            let pixels = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + message.byteCount])
            try self.init(copying: pixels.bytes, as: message)
        }
    }

    private convenience init(copying pixels: RawSpan, as message: BitmapMessage) throws(WebImageError) {
        try self.init(size: message.size, format: message.format, colorSpace: message.colorSpace) { rows, _ in
            pixels.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: rows, count: $0.count).copyMemory(from: $0) }
            return message.isOpaque
        }
    }
}

extension BitmapMessage {
    var byteCount: Int { size.area * format.bytesPerPixel }
}
