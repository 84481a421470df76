import Foundation

/// The initial files for fuzzing; some of them once crashed a program, or exhausted its memory.
package enum FuzzSeeds {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz/seeds")

    package static func data(_ name: String) throws -> Data {
        try Data(contentsOf: directory.appending(path: name))
    }

    package static func path(_ name: String) -> String { directory.appending(path: name).path() }

    /// The paths of all of them, in order.
    package static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path()).sorted().map {
            directory.appending(path: $0).path()
        }
    }
}
