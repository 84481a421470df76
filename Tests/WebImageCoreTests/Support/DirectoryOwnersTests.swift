import Foundation
import Glibc
import Testing
import WebImageCore

@Suite("Owners of directories")
struct DirectoryOwnersTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "owners-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("another user's directory gets one warning, by whatever name; one's own, and a missing one, get none")
    func warning() throws {
        try withDirectory { path in
            let owners = DirectoryOwners()
            #expect(owners.warning(about: path) == nil && owners.warning(about: "\(path)/none") == nil)
            let owner = try notRoot(owning: path)
            #expect(owners.warning(about: path, user: owner) == nil)
            let warning = try #require(owners.warning(about: path, user: 0))
            #expect(warning.contains(path) && warning.contains("(\(owner))"))
            #expect(owners.warning(about: "\(path)/.", user: owner + 1) == nil)
            #expect(DirectoryOwners().warning(about: "\(path)/.", user: owner + 1) != nil)
        }
    }

    /// The owner of a directory that the tests have created; root gives it to another user first.
    private func notRoot(owning path: String) throws -> uid_t {
        guard geteuid() == 0 else { return geteuid() }
        try #require(chown(path, 4711, 4711) == 0)
        return 4711
    }

    @Test("root's directories get no warning, and files are no directories")
    func others() throws {
        #expect(DirectoryOwners().warning(about: "/", user: 4711) == nil)
        try withDirectory { path in
            try Data().write(to: URL(filePath: "\(path)/file"))
            #expect(DirectoryOwners().warning(about: "\(path)/file", user: 4711) == nil)
        }
    }
}
