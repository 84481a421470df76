import WebImageCore

/// The compressed pixels of a file: what is in its IDAT chunks, one after the other.
struct PNGPixelStream {
    /// The next byte in the file.
    private(set) var offset: Int
    /// The bytes of the current chunk from there on.
    private(set) var left: Int
    private let file: RandomAccessFile
    private var window: [UInt8] = []
    private var start = 0

    private static let windowByteCount = 1 << 18
    private static let checkSumByteCount = 4
    private static let headByteCount = 8

    /// - Parameter chunk: The place of the first IDAT chunk.
    init(_ file: RandomAccessFile, firstChunk chunk: Int) {
        self.file = file
        offset = chunk - Self.checkSumByteCount
        left = 0
    }

    mutating func move(to offset: Int, left: Int) {
        self.offset = offset
        self.left = left
    }

    /// Calls `body` with the next bytes, and goes on behind those that it has used.
    ///
    /// - Returns: Whether there were any; `body` is called with none at the end.
    mutating func withBytes(_ body: (UnsafeRawBufferPointer) -> Int) throws(WebImageError) -> Bool {
        var isMore = true
        while left == 0 && isMore { isMore = try moveToNextChunk() }
        guard left > 0 else {
            _ = body(UnsafeRawBufferPointer(start: nil, count: 0))
            return false
        }
        try require(1)
        guard offset < start + window.count else { throw .truncated(.png) }
        let range = offset - start..<min(window.count, offset - start + left)
        let used = window.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        offset += used
        left -= used
        return true
    }

    /// - Returns: False where another kind of chunk follows.
    private mutating func moveToNextChunk() throws(WebImageError) -> Bool {
        let place = offset + Self.checkSumByteCount
        try require(Self.checkSumByteCount + Self.headByteCount)
        guard place + Self.headByteCount <= start + window.count else { throw .truncated(.png) }
        let head = window[place - start..<place - start + Self.headByteCount]
        guard head.suffix(4).elementsEqual("IDAT".utf8) else { return false }
        let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length < 1 << 31 else { throw .damaged(.png, "a chunk claims \(length) bytes") }
        offset = place + Self.headByteCount
        left = length
        return true
    }

    /// Makes sure that the window has so many bytes from the offset on, where the file has them.
    private mutating func require(_ count: Int) throws(WebImageError) {
        guard offset < start || offset + count > start + window.count else { return }
        start = max(0, offset)
        window = try file.checkedBytes(at: start, count: Self.windowByteCount)
    }
}
