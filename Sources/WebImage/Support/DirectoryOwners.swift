import CLinux
import Glibc
import Synchronization

/// Whose directories a process keeps its pictures in: another user may read them, and put others in their place. That is
/// no error, since some directories are shared on purpose.
package final class DirectoryOwners: Sendable {
    /// For all caches of the process, so that each directory is warned of once.
    package static let shared = DirectoryOwners()

    private struct Directory: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private let known = Mutex<Set<Directory>>([])

    package init() {}

    /// What to warn of where a directory belongs to another user: the first time that it is asked for.
    ///
    /// - Parameters:
    ///   - path: May be a symbolic link.
    ///   - user: By default the one whose rights the process has.
    /// - Returns: nil also where there is no directory, and for one of root's, who may do anything with all of them.
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
