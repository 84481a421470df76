import Glibc
import WebImageCore

/// Why an origin could not start.
package struct OriginError: Error, CustomStringConvertible {
    /// One line: what happened and what to do.
    package let description: String

    /// The failure of a system call, by `errno`.
    package static func system(_ call: String, _ code: CInt = errno) -> OriginError {
        OriginError(description: "the origin could not start: \(call) failed: \(String(systemError: code))")
    }
}
