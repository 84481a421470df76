import Glibc

/// A call to the file system that failed.
package struct FileSystemError: Error, Hashable {
    /// The failed operation, as a verb before a path.
    package enum Operation: String, Sendable, CaseIterable {
        case read, create, write, link, rename, remove, makeDirectory = "make the directory", status = "look at", list,
            setTimes = "set the times of", lock
    }

    package let operation: Operation
    package let path: String
    /// The system's `errno`.
    package let code: Int32

    package init(_ operation: Operation, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// The file, or a directory of its path, does not exist.
    package var isNotFound: Bool { code == ENOENT }

    /// A directory has the name of the file to be replaced or removed.
    package var meansDirectory: Bool {
        switch operation {
        case .rename: code == EISDIR || code == ENOTEMPTY || code == EEXIST
        case .remove: code == EISDIR || code == EPERM
        default: false
        }
    }

    /// The error for the app: what happened, where, and what to do.
    package func webImageError(stage: WebImageError.Stage) -> WebImageError {
        let (kindOfFailure, kind, advice) = meaning
        return WebImageError(
            kindOfFailure, stage: stage, kind: kind,
            reason: "cannot \(operation.rawValue) \(path.abbreviated(to: 300)): \(String(systemError: code))\(advice)",
            underlying: self)
    }

    private var meaning: (WebImageError.Code, WebImageError.Kind, advice: String) {
        switch code {
        case ENOSPC, EDQUOT: (.diskFull, .transient, "; free some space or choose another directory")
        case EACCES, EPERM, EROFS:
            (
                .accessDenied, .permanent,
                "; choose a directory that can be \(operation == .list || operation == .read ? "read" : "written")"
            )
        case ELOOP: (.accessDenied, .permanent, "; symbolic links are not followed here")
        case ENOENT: (.fileNotFound, .permanent, "; check the path")
        case ENOTDIR, EISDIR: (.fileFailed, .permanent, "; a file of another kind has this name; remove it")
        case EMFILE, ENFILE: (.fileFailed, .transient, "; close some files or raise the limit (ulimit -n)")
        default: (.fileFailed, .transient, "")
        }
    }
}
