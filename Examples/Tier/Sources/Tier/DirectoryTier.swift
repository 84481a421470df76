import Foundation
import WebImage

/// A directory on another disk.
struct DirectoryTier: ImageCacheTier {
    let folder: URL

    func bytes(at path: String) async throws -> Data? {
        let file = folder.appending(path: path)
        return FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
    }

    func store(_ bytes: Data, at path: String) async throws {
        let file = folder.appending(path: path)
        let parent = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try bytes.write(to: file, options: .atomic)
    }

    func remove(at path: String) async throws {
        let place = path.isEmpty ? folder : folder.appending(path: path)
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
    }
}
