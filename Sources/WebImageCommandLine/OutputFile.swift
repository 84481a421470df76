import FoundationEssentials
import Glibc
import WebImage

/// A file that is written completely or not at all.
package struct OutputFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// Writes a temporary file beside it and renames that; writes directly to devices and pipes.
    ///
    /// - Throws: ``WebImageError/Code/diskFull``, ``WebImageError/Code/accessDenied``,
    ///   ``WebImageError/Code/fileNotFound`` or ``WebImageError/Code/fileFailed``.
    package func write(_ data: Data) throws(WebImageError) { try begin(data)?.finish() }

    /// Writes a temporary file beside it, for the caller to rename when everything else is written; nil for a device or
    /// a pipe, which is written directly.
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

    /// Checks, before there is data, that the file can be created.
    ///
    /// - Throws: As ``write(_:)``.
    package func check() throws(WebImageError) {
        guard try !isSpecial() else { return }
        guard access(directory.isEmpty ? "." : directory, W_OK | X_OK) == 0 else { throw failure() }
    }

    /// With a trailing slash; empty for the working directory.
    private var directory: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Whether the path is a device or pipe, which renaming would replace; throws when it must not be written at all.
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
        // Network file systems may report a full disk here only.
        if !isClosed { throw failure() }
    }

    private func failure(_ code: Int32 = errno) -> WebImageError { SystemError(code).writing(path.printable) }
}
