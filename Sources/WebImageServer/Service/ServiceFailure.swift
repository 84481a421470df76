/// Why the service cannot start, or cannot take new settings: one line, with what to do.
struct ServiceFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
