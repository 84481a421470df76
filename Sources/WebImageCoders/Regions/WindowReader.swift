import WebImageCore

/// Reads a file from the beginning to the end through a window, whose bytes may be asked for again.
struct WindowReader {
    private let file: RandomAccessFile
    private var window: [UInt8] = []
    private var start = 0

    private static let windowByteCount = 1 << 20
    private static let leastByteCount = 1 << 16

    init(_ file: RandomAccessFile) { self.file = file }

    /// Calls `body` with the bytes from `offset` on: 64 KB at least, unless the file ends with them.
    mutating func withBytes<Result>(
        at offset: Int, _ body: (_ bytes: UnsafeRawBufferPointer, _ isLast: Bool) -> Result
    ) throws(WebImageError) -> Result {
        let isEnough = offset >= start && start + window.count - offset >= Self.leastByteCount
        if !isEnough {
            window = try file.bytes(at: offset, count: Self.windowByteCount)
            start = offset
        }
        let isLast = start + window.count >= file.byteCount || window.count < Self.windowByteCount
        return window.withUnsafeBytes { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes[(offset - start)...]), isLast)
        }
    }
}
