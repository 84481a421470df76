import FoundationEssentials
import Glibc
import WebImageCommandLine

/// A file, by whatever name.
struct FileIdentity: Hashable {
    private let device: dev_t
    private let number: ino_t

    /// nil where there is no file: none at all, or a directory, a device, a pipe.
    init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        device = information.st_dev
        number = information.st_ino
    }
}

extension Operand {
    /// The file that it stands for; nil for what is not on this machine.
    var file: FileIdentity? {
        guard let url = try? url.get(), url.isFileURL else { return nil }
        return FileIdentity(path: url.path(percentEncoded: false))
    }
}
