/// How far a transfer has come.
public struct LoadProgress: Sendable, Hashable {
    /// Bytes that have come so far.
    public var receivedByteCount: Int
    /// Bytes that the server announced; nil when it did not, or when what it announced is not what arrives.
    public var expectedByteCount: Int?

    /// Progress of `receivedByteCount` bytes out of those expected.
    public init(receivedByteCount: Int, expectedByteCount: Int? = nil) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }

    /// 0 to 1; nil while the whole is unknown.
    public var fractionCompleted: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(receivedByteCount) / Double(expectedByteCount))
    }
}
