import FoundationEssentials

/// The beginning of a body whose transfer was interrupted, for a load that goes on with it.
public struct PartialBody: Sendable, Hashable {
    /// The bytes.
    public var data: Data
    /// The strong validator of the response, as the server sent it: its `ETag`, or its `Last-Modified` (RFC 9110 §13.1.5).
    public var validator: String

    /// The bytes `data` of a response with `validator`.
    public init(data: Data, validator: String) {
        self.data = data
        self.validator = validator
    }
}
