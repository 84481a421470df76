import FoundationEssentials
import Glibc
import WebImage

/// A file that is written whole or not at all.
package struct OutputFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// Writes beside the file and renames; devices and pipes are written as they are.
    ///
    /// - Throws: ``WebImageError/Code/diskFull``, ``WebImageError/Code/accessDenied``,
    ///   ``WebImageError/Code/fileNotFound`` or ``WebImageError/Code/fileFailed``.
    package func write(_ data: Data) throws(WebImageError) { try begin(data)?.finish() }

    /// Writes beside the file, for the caller to rename when all that belongs to it is written; nil for a device or a
    /// pipe, which is written as it is.
    ///
    /// - Throws: As ``write(_:)``.
    package func begin(_ data: Data) throws(WebImageError) -> UnfinishedFile? {
        guard try !isSpecial() else {
            try write(data, to: path, flags: O_WRONLY | O_CLOEXEC)
            return nil
        }
        return try UnfinishedFile(path: path, directory: directory) { temporary throws(WebImageError) in
            try write(data, to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
        }
    }

    /// Finds out, before there is anything to write, whether the file could be made.
    ///
    /// - Throws: As ``write(_:)``.
    package func check() throws(WebImageError) {
        guard try !isSpecial() else { return }
        guard access(directory.isEmpty ? "." : directory, W_OK | X_OK) == 0 else { throw failure() }
    }

    /// With a slash at its end; empty for the one in which the program runs.
    private var directory: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Whether something stands there that renaming would replace by a file; throws when it must not be written at all.
    private func isSpecial() throws(WebImageError) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        guard access(path, W_OK) == 0 else { throw failure() }
        return information.st_mode & S_IFMT != S_IFREG
    }

    private func write(_ data: Data, to file: String, flags: Int32) throws(WebImageError) {
        let descriptor = open(file, flags, 0o666)
        guard descriptor >= 0 else { throw failure() }
        let code = OutputDescriptor(number: descriptor).write(data)
        let isClosed = close(descriptor) == 0
        if code != 0 { throw failure(code) }
        // Network file systems report a full disk only here.
        if !isClosed { throw failure() }
    }

    private func failure(_ code: Int32 = errno) -> WebImageError { SystemError(code).writing(path.printable) }
}
