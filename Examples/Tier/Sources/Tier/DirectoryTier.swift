import Foundation
import WebImage

/// A directory on another disk.
struct DirectoryTier: ImageCacheTier {
    let folder: URL
    private let queue = DispatchQueue(label: "tier", attributes: .concurrent)

    init(folder: URL) { self.folder = folder }

    func bytes(at path: String) async throws -> Data? {
        let file = folder.appending(path: path)
        return try await onQueue {
            FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
        }
    }

    func store(_ bytes: Data, at path: String) async throws {
        let file = folder.appending(path: path)
        let parent = file.deletingLastPathComponent()
        try await onQueue {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try bytes.write(to: file, options: .atomic)
        }
    }

    func remove(at path: String) async throws {
        let place = path.isEmpty ? folder : folder.appending(path: path)
        try await onQueue {
            if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        }
    }

    /// Runs work that waits for the disk: on one of Swift's few threads, a slow one would stop all other tasks.
    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
