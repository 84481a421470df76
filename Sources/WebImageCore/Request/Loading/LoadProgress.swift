/// The progress of a transfer.
public struct LoadProgress: Sendable, Hashable {
    /// The bytes received so far.
    public var receivedByteCount: Int
    /// The bytes that the server announced; nil without an announcement, or for a compressed body.
    public var expectedByteCount: Int?

    /// Progress of `receivedByteCount` bytes out of `expectedByteCount`.
    public init(receivedByteCount: Int, expectedByteCount: Int? = nil) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }

    /// 0 to 1; nil while the length is unknown.
    public var fractionCompleted: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(receivedByteCount) / Double(expectedByteCount))
    }
}
