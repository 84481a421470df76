import Glibc
import WebImage
import WebImageCommandLine

/// The permissions in a cache's directory.
enum CacheDirectoryAccess {
    /// Also where there is no such directory yet.
    case full
    /// Its pictures can be read, and nothing can be stored or removed; with the system's words.
    case readOnly(because: String)

    init(to directory: String) {
        self = .full
        guard access(directory, W_OK | X_OK) != 0 else { return }
        let reason = "\(SystemError(errno))"
        if OutputDirectory(directory).exists, access(directory, R_OK | X_OK) == 0 { self = .readOnly(because: reason) }
    }

    /// Warns of a directory that is another user's.
    static func checkOwner(of directory: String) {
        DirectoryOwners.shared.warning(about: directory).map(WebImageLog.warn)
    }
}
