import Glibc
import WebImage

/// A directory that files are written into.
package struct OutputDirectory {
    private let path: String

    /// - Parameter path: Empty for the working directory.
    package init(_ path: String) { self.path = path.isEmpty ? "." : path }

    package var exists: Bool { Self.isDirectory(path) }

    /// Creates the directory and its missing parents.
    package func make() throws(WebImageError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += "\(part)/"
            guard mkdir(made, 0o777) != 0 else { continue }
            let code = errno
            if code != EEXIST, !Self.isDirectory(made) { throw SystemError(code).making(directory: made) }
        }
        if !exists { throw SystemError(ENOTDIR).making(directory: path) }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}
