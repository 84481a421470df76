import CLinux
import Glibc
import WebImageCore
import WebImageIsolation

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
        let isListed = files.contains(path)
        guard isListed || isInFolder(path) else { return (EACCES, nil) }
        let number = Glibc.open(path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { return (isListed ? Self.failure(errno) : Self.lack(errno), nil) }
        let file = OwnedDescriptor(number)
        var status = stat()
        let isFile = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? (0, file) : (isListed ? EPERM : EACCES, nil)
    }

    /// A worker must not take it for a file that it can do without: it ends.
    private static func failure(_ code: Int32) -> Int32 { code == EACCES ? EPERM : code }

    /// Decoders do without files that a folder lacks, in other processes as well. A worker could ask for it to end with an
    /// error for now.
    private static func lack(_ code: Int32) -> Int32 {
        [ENOENT, ENOTDIR, ENAMETOOLONG].contains(code) ? EACCES : code
    }

    private func isInFolder(_ path: [UInt8]) -> Bool {
        let leaves = path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        return !leaves && !path.contains(0) && folders.contains { path.starts(with: $0) }
    }
}
