import Glibc
import WebImage

/// An `errno` of a failed write, with what to do about it.
package struct SystemError: CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The system's own words: `No space left on device`.
    package var description: String { String(systemError: code) }

    package func writing(_ name: String) -> WebImageError { error("cannot write \(name)") }

    package func making(directory: String) -> WebImageError {
        error("cannot make the directory \(directory.printable)")
    }

    private func error(_ attempt: String) -> WebImageError {
        let (errorCode, kind, advice): (WebImageError.Code, WebImageError.Kind, String) =
            switch code {
            case ENOSPC, EDQUOT: (.diskFull, .transient, "; free some space or write elsewhere")
            case EACCES, EPERM, EROFS: (.accessDenied, .permanent, "; write where you may")
            case ENOENT: (.fileNotFound, .permanent, "; make the directory first")
            case ENOTDIR, EISDIR, EEXIST, ELOOP, EILSEQ: (.fileFailed, .permanent, "; choose another name")
            default: (.fileFailed, .transient, "")
            }
        return WebImageError(errorCode, stage: .store, kind: kind, reason: "\(attempt): \(self)\(advice)")
    }
}
