/// An array that grows without a copy of its elements, and whose copies share all chunks that neither changes: a copy
/// of a million entries is written to disk while the original changes.
struct ChunkedArray<Element: BitwiseCopyable & Sendable>: Sendable {
    private static var shift: Int { 12 }
    /// The number of elements in a chunk.
    static var chunkSize: Int { 1 << shift }

    private var chunks: [[Element]] = []
    private(set) var count = 0

    init() {}

    /// `count` elements, each made from its index, in order.
    init(count: Int, _ element: (Int) -> Element) {
        for start in stride(from: 0, to: count, by: Self.chunkSize) {
            appendChunk(count: min(Self.chunkSize, count - start)) { element(start + $0) }
        }
    }

    subscript(index: Int) -> Element {
        get { chunks[index >> Self.shift][index & (Self.chunkSize - 1)] }
        _modify { yield &chunks[index >> Self.shift][index & (Self.chunkSize - 1)] }
    }

    mutating func append(_ element: Element) {
        if isFull {
            appendChunk(count: 1) { _ in element }
        } else {
            chunks[count >> Self.shift].append(element)
            count += 1
        }
    }

    /// Appends up to ``chunkSize`` elements, each made from its index in the chunk; all chunks before must be full.
    mutating func appendChunk(count added: Int, _ element: (Int) -> Element) {
        precondition(isFull && added <= Self.chunkSize)
        chunks.append(
            [Element](unsafeUninitializedCapacity: Self.chunkSize) { buffer, filled in
                for index in 0..<added { buffer.initializeElement(at: index, to: element(index)) }
                filled = added
            })
        count += added
    }

    private var isFull: Bool { count & (Self.chunkSize - 1) == 0 }
}
