import Foundation

enum TemporaryPath {
    /// A path in the directory for temporary files, unique to this process.
    static func make(_ name: String) -> String {
        FileManager.default.temporaryDirectory.path()
            + "/webimage-tiles-\(ProcessInfo.processInfo.processIdentifier)-\(name)"
    }
}
