import FoundationEssentials

/// The beginning of a body whose transfer was interrupted, for a load that goes on with it.
public struct PartialBody: Sendable, Hashable {
    /// The bytes.
    public var data: Data
    /// The strong validator of the response, as the server sent it: its `ETag`, or its `Last-Modified` (RFC 9110 §13.1.5).
    public var validator: String
    /// The bytes of the whole body; nil where the server has not announced them.
    public var totalByteCount: Int?

    /// The bytes `data` of a response with `validator`.
    public init(data: Data, validator: String, totalByteCount: Int? = nil) {
        self.data = data
        self.validator = validator
        self.totalByteCount = totalByteCount
    }
}
