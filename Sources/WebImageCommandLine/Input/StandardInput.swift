import FoundationEssentials
import Glibc
import WebImage

/// Standard input, as the source of a picture, a list or an answer.
package enum StandardInput {
    /// Whether the input would come from a keyboard.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads to the end, however long that takes.
    ///
    /// - Throws: As ``InputDescriptor/readAll(until:)``.
    package static func readAll(until cancellation: CancellationFlag) throws(WebImageError) -> Data {
        try InputDescriptor.standardInput.readAll(until: cancellation)
    }
}
