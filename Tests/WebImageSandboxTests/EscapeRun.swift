import Foundation
import WebImageSandbox

@testable import WebImageTestDoubles

/// A run of `webimage-escape`: a line for each attempt, with its name and what came of it.
struct EscapeRun {
    let outcomes: [(name: String, outcome: String)]

    static let levels = [
        "everything", "withThreadsAndMessages", "withWaits", "withoutLandlock", "withoutNamespaces", "withoutBoth",
        "systemCallsAlone", "withoutSystemCalls", "landlockAlone", "namespacesAlone",
    ]

    /// Those of workers.
    static let withThreads: Set = ["withThreadsAndMessages", "withWaits"]

    /// Those where all system calls are free, so that threads are.
    static let withoutSystemCalls: Set = ["withoutSystemCalls", "landlockAlone", "namespacesAlone"]

    /// - Parameter files: Files in the working directory.
    init(_ arguments: [String], files: [String: String] = [:]) async throws {
        let program = try Program()
        for (name, text) in files { try Data(text.utf8).write(to: program.file(name)) }
        let executable = Program.executable.deletingLastPathComponent().appending(path: "webimage-escape")
        // The directory is for those that attack files.
        let words = arguments.map { $0 == "DIRECTORY" ? program.directory.appending(path: "work").path : $0 }
        let ending = try await program.run(words, by: executable)
        guard ending.status == 0 else {
            throw TestFailure(text: "\(arguments) ended with \(ending.status): \(ending.errors)")
        }
        outcomes = ending.lines.map { line in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return (parts[0], parts.count == 2 ? parts[1] : "")
        }
    }

    /// The measures that were taken, which the first line of hostile runs has.
    var level: SandboxLevel { SandboxLevel(rawValue: UInt32(outcomes.first?.outcome ?? "") ?? 0) }

    /// The outcomes of the attempts.
    var attempts: [String: EscapeOutcome] {
        Dictionary(uniqueKeysWithValues: outcomes.dropFirst().map { ($0.name, EscapeOutcome($0.outcome)) })
    }
}

/// The outcome of an attempt.
enum EscapeOutcome: Equatable {
    case succeeded
    /// The system's error.
    case refused(Int32)
    case killed(Int32)
    /// Something outside was changed.
    case harmed(String)

    init(_ text: String) {
        let number = text.split(separator: " ").last.flatMap { Int($0) } ?? 0
        switch text.split(separator: " ").first {
        case "returned" where number < 0: self = .refused(Int32(-number))
        case "signal": self = .killed(Int32(number))
        // Another program has run to its end.
        case "returned", "exit": self = .succeeded
        default: self = .harmed(text)
        }
    }

    /// The errors that mean that a right is missing; any other may mean that only an argument was wrong.
    private static let refusals: Set = [EPERM, EACCES, ENOSYS, EAGAIN, ENOMEM, EMFILE, ENOTTY]

    /// - Parameter free: What comes of the same attempt without any measure.
    func isRefusal(where free: EscapeOutcome) -> Bool {
        switch self {
        case .succeeded, .harmed: false
        case .killed(let signal): signal == SIGSYS
        case .refused(let error): Self.refusals.contains(error) || !free.isRefused
        }
    }

    var isRefused: Bool {
        switch self {
        case .refused, .killed: true
        case .succeeded, .harmed: false
        }
    }
}
