import CLinux
import Foundation
import Testing
import WebImageCore

@testable import WebImageTestDoubles

@Suite("The system's files: listing a directory that changes or fails meanwhile")
struct POSIXFileSystemTests {
    private let system = POSIXFileSystem()
    private let directory: CacheDirectory

    init() throws { directory = try CacheDirectory() }

    private func fill(_ count: Int) throws {
        for number in 0..<count {
            let name = "\(number)" + String(repeating: "x", count: 200)
            try Data().write(to: URL(filePath: "\(directory.path)/\(name)"))
        }
    }

    /// Lists the directory, and calls `change` at the first entry.
    private func list(_ change: () -> Void) -> (count: Int, failure: FileSystemError?) {
        var count = 0
        do throws(FileSystemError) {
            try system.forEachItem(of: directory.path) { _, _ in
                if count == 0 { change() }
                count += 1
            }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    /// Puts another opening in the place of the descriptor by which the directory is being listed.
    private func exchangeDescriptor(for path: String, _ flags: Int32) {
        var own = stat()
        stat(directory.path, &own)
        let descriptors = (0..<4096 as Range<Int32>).filter { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && (status.st_ino, status.st_dev) == (own.st_ino, own.st_dev)
        }
        let other = open(path, flags)
        for descriptor in descriptors { dup2(other, descriptor) }
        close(other)
    }

    @Test("an entry that is removed meanwhile is skipped")
    func removed() throws {
        try fill(3)
        let (count, failure) = list {
            for path in directory.files { try? FileManager.default.removeItem(atPath: path) }
        }
        #expect(count == 1 && failure == nil)
    }

    @Test("an entry whose status cannot be read is an error")
    func status() throws {
        try fill(3)
        let (count, failure) = list { exchangeDescriptor(for: "/dev/null", O_RDONLY) }
        #expect(count == 1 && failure?.operation == .status && failure?.code == ENOTDIR)
        #expect(failure?.path.hasPrefix("\(directory.path)/") == true)
    }

    @Test("a directory that cannot be read to its end is an error")
    func end() throws {
        // More than the system returns at once.
        try fill(600)
        // Linux's O_PATH, by which a directory cannot be read: its entries can be looked at.
        let (count, failure) = list { exchangeDescriptor(for: directory.path, 0o10000000) }
        #expect((1..<600).contains(count))
        #expect(failure?.operation == .list && failure?.code == EBADF && failure?.path == directory.path)
    }
}
