extension String {
    /// Calls `body` with the text's UTF-8, in place where possible.
    // The usual path is separate from the other: together, they count four references to the text, half of a hit in
    // memory.
    @inlinable @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        return withCopiedUTF8Bytes(body)
    }

    @usableFromInline @inline(never)
    func withCopiedUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(utf8).withUnsafeBytes(body)
    }
}
