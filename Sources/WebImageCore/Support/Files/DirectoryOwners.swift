import CLinux
import Glibc
import Synchronization

/// Warns of cache directories of other users, which give these users access to the pictures. That is no
/// error, since some directories are shared on purpose.
package final class DirectoryOwners: Sendable {
    /// For all caches of the process, so that each directory causes one warning.
    package static let shared = DirectoryOwners()

    private struct Directory: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private let known = Mutex<Set<Directory>>([])

    package init() {}

    /// The warning for a directory of another user, at the first call for that directory.
    ///
    /// - Parameters:
    ///   - path: May be a symbolic link.
    ///   - user: By default the effective user of the process.
    /// - Returns: nil also for a missing directory, and for a directory of root, which can access every directory.
    package func warning(about path: String, user: uid_t = geteuid()) -> String? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else { return nil }
        let owner = information.st_uid
        let directory = Directory(device: information.st_dev, inode: information.st_ino)
        guard owner != user, owner != 0, known.withLock({ $0.insert(directory).inserted }) else { return nil }
        return "the cache directory \(path.abbreviated(to: 300)) belongs to another user (\(owner)), who can read and "
            + "replace its pictures; choose a directory of your own unless it is shared on purpose"
    }
}
