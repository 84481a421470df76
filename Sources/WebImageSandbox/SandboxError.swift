/// Why a worker must not begin.
package enum SandboxError: Error, Equatable {
    /// The level that was reached lacks measures that the policy requires.
    case tooLow(reached: SandboxLevel, required: SandboxLevel)
    /// There is no further process; the system's number of the error.
    case notForked(code: Int32)
}

extension SandboxError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLow(let reached, let required):
            "the system restricts a decoder less than is required; missing: \(required.subtracting(reached).list)"
        case .notForked(let code): "no process could be started (error \(code))"
        }
    }
}
