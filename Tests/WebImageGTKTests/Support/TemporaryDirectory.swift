import Foundation

/// A directory for one test, removed with the last reference.
final class TemporaryDirectory {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "views-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
