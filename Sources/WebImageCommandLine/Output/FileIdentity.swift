import FoundationEssentials
import Glibc
import WebImage

/// A regular file's identity, independent of its names.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// nil where there is no regular file: nothing, a directory, a device or a pipe.
    package init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    /// nil where the descriptor is closed or is of a terminal, a device or a pipe.
    package init?(descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return nil }
        self.init(information)
    }

    init?(_ information: stat) {
        guard information.st_mode & S_IFMT == S_IFREG else { return nil }
        device = information.st_dev
        number = information.st_ino
    }
}

extension Operand {
    /// The local file of the operand, also that which a shell gives as standard input; nil for all else.
    package var file: FileIdentity? {
        if isStandardInput { return FileIdentity(descriptor: STDIN_FILENO) }
        guard let url = try? url.get(), url.isFileURL else { return nil }
        return FileIdentity(path: url.path(percentEncoded: false))
    }
}
