/// An array that grows without ever copying what it holds, and whose copies share all chunks that neither changes: a
/// million entries can be written to disk from a copy while the original goes on changing.
struct ChunkedArray<Element: BitwiseCopyable & Sendable>: Sendable {
    private static var shift: Int { 12 }
    private static var chunkSize: Int { 1 << shift }

    private var chunks: [[Element]] = []
    private(set) var count = 0

    init() {}

    /// `count` elements, each made from its index, in order.
    init(count: Int, _ element: (Int) -> Element) {
        self.count = count
        chunks = stride(from: 0, to: count, by: Self.chunkSize).map { start in
            [Element](unsafeUninitializedCapacity: Self.chunkSize) { buffer, filled in
                filled = min(Self.chunkSize, count - start)
                for index in 0..<filled { buffer.initializeElement(at: index, to: element(start + index)) }
            }
        }
    }

    subscript(index: Int) -> Element {
        get { chunks[index >> Self.shift][index & (Self.chunkSize - 1)] }
        _modify { yield &chunks[index >> Self.shift][index & (Self.chunkSize - 1)] }
    }

    mutating func append(_ element: Element) {
        if count & (Self.chunkSize - 1) == 0 {
            var chunk: [Element] = []
            chunk.reserveCapacity(Self.chunkSize)
            chunks.append(chunk)
        }
        chunks[count >> Self.shift].append(element)
        count += 1
    }
}
