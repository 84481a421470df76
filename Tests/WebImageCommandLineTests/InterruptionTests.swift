import Foundation
import Glibc
import Testing

@testable import WebImageCommandLine

@Suite("Signals", .timeLimit(.minutes(5)))
struct InterruptionTests {
    private static func makeDirectory() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "signals-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Writes a file that never gets its name: the first signal cancels, the second ends the program meanwhile.
    private static func write(in directory: String, signal: Int32) async -> ExitCode {
        await Interruption.watch {
            kill(getpid(), signal)
            while !Task.isCancelled { await Task.yield() }
            _ = try? UnfinishedFile(path: "\(directory)/picture", directory: "\(directory)/") { temporary in
                try? Data([1]).write(to: URL(filePath: temporary))
                try? Data().write(to: URL(filePath: "\(directory)/begun"))
                kill(getpid(), signal)
                while true { pause() }
            }
            return .done
        }
    }

    @Test("a second signal leaves no unfinished file", arguments: [SIGHUP, SIGINT, SIGTERM])
    func unfinishedFiles(signal: Int32) async throws {
        let directory = try Self.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        await #expect(processExitsWith: .exitCode(128 + signal)) {
            [directory = directory as String, signal = signal as Int32] in
            _ = await Self.write(in: directory, signal: signal)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["begun"])
    }

    @Test("a program that ignores SIGHUP outlives its terminal")
    func ignored() async throws {
        await #expect(processExitsWith: .exitCode(ExitCode.done.rawValue)) {
            signal(SIGHUP, SIG_IGN)
            let code = await Interruption.watch {
                kill(getpid(), SIGHUP)
                for _ in 0..<1000 { await Task.yield() }
                return Task.isCancelled ? .failed : .done
            }
            exit(code.rawValue)
        }
    }
}
