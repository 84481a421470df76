import FoundationEssentials
import Glibc
import WebImage

extension OutputFile {
    /// Checks that nothing but a picture of `format`, or an empty file, would be replaced. Devices and pipes are not: they are
    /// written to.
    ///
    /// - Throws: ``WebImageError/Code/fileFailed``.
    package func checkReplaces(_ format: ImageFormat) throws(WebImageError) {
        guard FileIdentity(path: path) != nil, let beginning, !beginning.isEmpty else { return }
        guard ImageFormat(sniffing: beginning) != format else { return }
        throw WebImageError(
            .fileFailed, stage: .store, kind: .permanent,
            reason: "\(path.printable) is no \(format) but something else, which would be lost; choose another name")
    }

    /// nil for a file that cannot be read.
    private var beginning: Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return (try? POSIXFileSystem().read(OpenFile(descriptor: descriptor, path: path), at: 0, count: 64)).map {
            Data($0)
        }
    }
}
