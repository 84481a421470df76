import FoundationEssentials
import Glibc
import WebImageCommandLine

/// A file's identity, independent of its name.
struct FileIdentity: Hashable {
    private let device: dev_t
    private let number: ino_t

    /// nil where there is no regular file: nothing, a directory, a device or a pipe.
    init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        device = information.st_dev
        number = information.st_ino
    }
}

extension Operand {
    /// The local file of the operand; nil for all else.
    var file: FileIdentity? {
        guard let url = try? url.get(), url.isFileURL else { return nil }
        return FileIdentity(path: url.path(percentEncoded: false))
    }
}
