import CLinux
import Glibc
import WebImage

/// Opens fonts for workers: files that fontconfig has listed, those in the folders of a ``FontAccess``, and nothing else.
///
/// Paths are bytes: texts compare as equal that the kernel takes for different files.
struct FontBroker {
    private let files: Set<[UInt8]>
    private let folders: [[UInt8]]

    init(_ access: FontAccess) {
        files = access.files()
        folders = access.folders.map { Array($0.utf8) }
    }

    /// Answers one request: an error of the system, 0 with a descriptor.
    ///
    /// - Returns: False where the worker is to get no more answers.
    func answer(_ questions: inout FontQuestions) -> Bool {
        guard let path = questions.next() else { return false }
        let (code, file) = open(path)
        // A worker does without what it is refused.
        if code != 0, code != EACCES { questions.finding = .fontMissing }
        let bytes = withUnsafeBytes(of: code) { Array($0) }
        return questions.connection.send(WorkerPacket(bytes: bytes, descriptors: file.map { [$0] } ?? []), waits: false)
            == .sent
    }

    private func open(_ path: [UInt8]) -> (code: Int32, file: OwnedDescriptor?) {
        guard isFont(path) else { return (EACCES, nil) }
        let number = Glibc.open(path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        // A worker must not take this for a file that it can do without: it ends.
        guard number >= 0 else { return (errno == EACCES ? EPERM : errno, nil) }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return (EPERM, nil) }
        return (0, file)
    }

    private func isFont(_ path: [UInt8]) -> Bool {
        if files.contains(path) { return true }
        let leaves = path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        return !leaves && !path.contains(0) && folders.contains { path.starts(with: $0) }
    }
}
