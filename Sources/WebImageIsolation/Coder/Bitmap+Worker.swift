import WebImageCore

extension Bitmap {
    /// The pixels that a worker has made, where ``ReplyReader`` has found that they can be.
    ///
    /// - Parameter buffers: Those of the worker, in the order in which it got them.
    convenience init(copying message: BitmapMessage, in buffers: [SharedBuffer]) throws(WebImageError) {
        switch message.pixels {
        case .inline(let bytes): try self.init(copying: bytes.span.bytes, as: message)
        case .buffer(let index, let offset):
            let bytes = UnsafeRawBufferPointer(buffers[index].bytes)
            let pixels = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + message.byteCount])
            try self.init(copying: pixels.bytes, as: message)
        }
    }

    /// The same pixels without a copy: of a worker that has ended, so that nothing changes them any more. nil where they are
    /// too few, or in too large a buffer, to be worth its descriptor and its memory.
    convenience init?(keeping message: BitmapMessage, in buffers: [SharedBuffer]) {
        guard Self.canKeep(message, in: buffers), case .buffer(let index, let offset) = message.pixels else {
            return nil
        }
        self.init(
            sharing: buffers[index], from: offset, size: message.size, format: message.format,
            colorSpace: message.colorSpace, isOpaque: message.isOpaque)
    }

    static func canKeep(_ message: BitmapMessage, in buffers: [SharedBuffer]) -> Bool {
        guard case .buffer(let index, _) = message.pixels, message.byteCount >= leastKeptByteCount else { return false }
        return buffers[index].bytes.count <= message.byteCount + message.byteCount / 4
    }

    /// A copy takes less time than the end of a process.
    private static var leastKeptByteCount: Int { 4 << 20 }

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
