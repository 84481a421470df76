import Glibc
import WebImage

/// A directory that files are written into.
package struct OutputDirectory {
    private let path: String

    /// - Parameter path: Empty for the working directory.
    package init(_ path: String) { self.path = path.isEmpty ? "." : path }

    package var exists: Bool { Self.isDirectory(path) }

    /// Makes the directory and those that it is in, where they are missing.
    ///
    /// - Parameter mode: The permissions of created directories, less the umask.
    package func make(mode: mode_t = 0o777) throws(WebImageError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += "\(part)/"
            guard mkdir(made, mode) != 0 else { continue }
            let code = errno
            if code != EEXIST, !Self.isDirectory(made) { throw SystemError(code).making(directory: made) }
        }
        if !exists { throw SystemError(ENOTDIR).making(directory: path) }
    }

    /// Checks that a file can be created in the directory, or the directory in the nearest one that exists.
    ///
    /// - Parameter file: The name of the file, for the error.
    func checkWritable(for file: String) throws(WebImageError) {
        // Without the slash at the end, behind which a file does not exist.
        var nearest = path
        while nearest.count > 1, nearest.hasSuffix("/") || !Self.exists(nearest) {
            guard let slash = nearest.lastIndex(of: "/") else {
                nearest = "."
                break
            }
            nearest = slash == nearest.startIndex ? "/" : String(nearest[..<slash])
        }
        if !Self.exists(nearest) { nearest = "." }
        guard Self.isDirectory(nearest) else { throw SystemError(ENOTDIR).making(directory: path) }
        guard access(nearest, W_OK | X_OK) == 0 else { throw SystemError(errno).writing(file.printable) }
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func isDirectory(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}
