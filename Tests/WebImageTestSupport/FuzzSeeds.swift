import Foundation

/// The initial files for fuzzing, and those with which a library ends its process or fills its memory.
package enum FuzzSeeds {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let directory = package.appending(path: "Fuzz/seeds")
    private static let isolatedDirectory = package.appending(path: "Fuzz/isolated")

    package static func data(_ name: String) throws -> Data {
        try Data(contentsOf: directory.appending(path: name))
    }

    package static func path(_ name: String) -> String { directory.appending(path: name).path() }

    /// The paths of all of them, in order.
    package static func files() throws -> [String] { try files(in: directory) }

    /// A file for decoder processes only.
    package static func isolatedData(_ name: String) throws -> Data {
        try Data(contentsOf: isolatedDirectory.appending(path: name))
    }

    /// The paths of all files for decoder processes only, in order.
    package static func isolatedFiles() throws -> [String] { try files(in: isolatedDirectory) }

    private static func files(in directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path()).sorted().map {
            directory.appending(path: $0).path()
        }
    }
}
