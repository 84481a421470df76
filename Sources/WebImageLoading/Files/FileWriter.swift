import CLinux
import FoundationEssentials
import Glibc
import WebImageCore
import WebImageHTTP

/// Writes a file whole or not at all: under a temporary name beside it, which is renamed at the end.
///
/// Nothing is forced to the disk: after a power loss the old file may be there, or a damaged one.
struct FileWriter {
    /// The file itself, where the name is a symbolic link.
    private let path: String
    /// The mode of the file to be replaced; nil without one.
    private let mode: mode_t?

    /// Checks that `file` is a regular file or none yet.
    init(to file: URL) throws(WebImageError) {
        guard file.hasScheme("file") else {
            throw .invalidAddress("pictures are written to files of this machine only; write file:///path/to/picture")
        }
        let bytes = try FilePath(file).bytes
        guard let name = String(validating: bytes, as: UTF8.self), !name.hasSuffix("/") else {
            throw .invalidAddress("its path is not the name of a file in UTF-8")
        }
        path = Self.followingLinks(name)
        var status = stat()
        guard stat(path, &status) == 0 else {
            mode = nil
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw WebImageError(
                .fileFailed, stage: .store, kind: .permanent,
                reason: "the name belongs to a directory, a device or a pipe; choose that of a file")
        }
        mode = status.st_mode & 0o777
    }

    /// Blocks until `data` is the file.
    func write(_ data: Data) throws(WebImageError) {
        do throws(FileSystemError) {
            try POSIXFileSystem().replace(path) { temporary throws(FileSystemError) in
                try create(temporary, with: data)
            }
        } catch {
            throw error.webImageError(stage: .store)
        }
    }

    private func create(_ temporary: String, with data: Data) throws(FileSystemError) {
        // Never more permissive than the file that it replaces, not even for a moment.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
        guard descriptor >= 0 else { throw FileSystemError(.create, path, code: errno) }
        // The process's mask applies to new files only.
        if let mode { _ = fchmod(descriptor, mode) }
        do throws(FileSystemError) {
            try POSIXFileSystem().write(data, to: OpenFile(descriptor: descriptor, path: path))
        } catch {
            _ = close(descriptor)
            throw error
        }
        // Network file systems may report a full disk here only.
        guard close(descriptor) == 0 else { throw FileSystemError(.write, path, code: errno) }
    }

    /// The file that `path` leads to; `path` itself where it leads to none yet.
    private static func followingLinks(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
