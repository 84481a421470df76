/// The fault of an address of the service.
struct AddressError: Error, Equatable {
    /// The status of the answer.
    enum Status: Int {
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
    }

    let status: Status
    /// For the client: what is wrong, where, and what to do.
    let reason: String

    init(_ reason: String, status: Status = .badRequest) {
        self.status = status
        self.reason = reason
    }
}
