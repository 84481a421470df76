import FoundationEssentials
import Synchronization
import WebImageCore

extension DecoderIsolation {
    /// The measures that hold for the processes that decode.
    public struct Status: Sendable, Hashable, CustomStringConvertible {
        /// The path of the helper program.
        public let helperPath: String
        /// The measures that this system has.
        public let level: Level
        /// One line: the measures that hold, and those that do not.
        public let description: String
    }

    /// The measures that hold on this system for the processes of these settings. Starts the helper program where it does not run, and
    /// waits for it: some tenths of a second, and up to twenty seconds for a program that says nothing. Any thread. Videos have a
    /// helper of their own, which is not asked.
    ///
    /// - Throws: ``WebImageError`` with ``WebImageError/Kind/policy`` where the program is missing or another one, and with
    ///   ``WebImageError/Kind/transient`` where the system can start no process for now.
    public func status() throws(WebImageError) -> Status {
        let process = DecoderPrograms.of(self).pictures
        let abilities = try process.abilities()
        return Status(helperPath: process.path, level: abilities.level, description: abilities.text)
    }
}

extension DecoderPrograms {
    private struct Key: Hashable {
        let path: String
        let level: DecoderIsolation.Level
    }

    private static let all = Mutex<[Key: DecoderPrograms]>([:])

    /// Those for these settings, which all managers share.
    package static func of(_ isolation: DecoderIsolation) -> DecoderPrograms {
        let key = Key(path: isolation.helperPath ?? usualPath, level: isolation.requiredLevel)
        return all.withLock { all in
            if let programs = all[key] { return programs }
            let programs = DecoderPrograms(path: key.path, requiredLevel: key.level)
            all[key] = programs
            return programs
        }
    }

    /// Beside the program, or where a system has programs for programs.
    private static let usualPath: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/"
        let folder = program.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        let places = ["\(folder)/webimage-decoder", "\(folder)/../libexec/webimage/webimage-decoder"]
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? places[0]
    }()
}
