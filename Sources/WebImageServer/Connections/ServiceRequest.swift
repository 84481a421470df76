/// A request as a client has sent it.
struct ServiceRequest: Sendable {
    let method: String
    /// Path and query, without any decoding.
    let target: String
    /// Names in lower case; several fields of one name are one list.
    let headers: [String: String]
    /// The address of the client's end of the connection, in numbers.
    let peer: String
}
