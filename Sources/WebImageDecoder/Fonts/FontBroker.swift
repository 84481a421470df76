import CLinux
import Glibc
import WebImageCore
import WebImageIsolation

/// Opens fonts for workers: files that fontconfig has listed, and nothing else.
struct FontBroker {
    private let files: Set<String>
    private let folders: [String]

    init(_ access: FontAccess) {
        files = access.files()
        folders = access.folders
    }

    /// Answers one request: an error of the system, 0 with a descriptor.
    ///
    /// - Returns: False where the worker has ended, or asks for what no font library does.
    func answer(on connection: PacketSocket) -> Bool {
        guard case .packet(let packet) = connection.receive(waits: false) else { return false }
        let (code, file) = open(String(decoding: packet.bytes, as: UTF8.self))
        let bytes = withUnsafeBytes(of: code) { Array($0) }
        return connection.send(WorkerPacket(bytes: bytes, descriptors: file.map { [$0] } ?? []), waits: false) == .sent
    }

    private func open(_ path: String) -> (code: Int32, file: OwnedDescriptor?) {
        guard isFont(path) else { return (EACCES, nil) }
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        // A worker must not take this for a file that it can do without: it ends.
        guard number >= 0 else { return (errno == EACCES ? EPERM : errno, nil) }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return (EPERM, nil) }
        return (0, file)
    }

    private func isFont(_ path: String) -> Bool {
        if files.contains(path) { return true }
        return !path.contains("/../") && folders.contains { path.hasPrefix($0) }
    }
}
