import FoundationEssentials
import WebImage

/// An address or a path, as it was given. Nothing is kept but its text: a list may have a million of them.
package struct Operand: Sendable {
    private let text: String

    /// Text that starts with a scheme (RFC 3986 §3.1) is a URL, everything else is a path: `./a:b.jpg` is a file.
    package init(_ text: String) { self.text = text }

    /// The text in a form that is safe to print, without a password.
    package var name: String { given.printable }

    /// The text as it was given, without a password.
    package var given: String { text.addressWithoutPassword }

    /// The URL, or why there is none.
    package var url: Result<URL, WebImageError> {
        Result { () throws(WebImageError) in
            if isStandardInput { throw .standardInputIsNoURL }
            return try URL(addressOrPath: text)
        }
    }

    /// Whether the picture comes from standard input, for commands that read it.
    package var isStandardInput: Bool { text == "-" }

    /// The address for machine-readable output, without a password: absolute where there is one.
    package var address: String { (try? url.get().absoluteString.addressWithoutPassword) ?? given }

    /// The distinctive part of the name, for a place without room for all of it.
    package var shortName: String {
        guard let url = try? url.get(), !url.hasScheme("data"), url.path() != "/" else { return name }
        return url.lastPathComponent.printable
    }
}

extension WebImageError {
    fileprivate static let standardInputIsNoURL = WebImageError(
        .invalidURL, stage: .load, kind: .permanent,
        reason:
            "standard input is read by load, show, info, hash, convert, frames and compare only; write ./- for a file of "
            + "that name")
}
