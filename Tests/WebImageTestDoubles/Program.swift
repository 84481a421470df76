import Foundation
import Testing

/// The built command line, run as a process in a directory of its own, with a cache of its own.
final class Program: Sendable {
    /// The result of a run.
    struct Ending: Sendable {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] { text.split(separator: "\n").map(String.init) }
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

        /// The JSON objects of the output, one per line.
        func objects() throws -> [[String: Any]] {
            try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
        }
    }

    /// The working directory, which is removed with the last reference.
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "webimage-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "work"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The usual cache of the runs.
    var cache: URL { directory.appending(path: "cache/webimage/webimage") }

    /// The file called `name` in the working directory.
    func file(_ name: String) -> URL { directory.appending(path: "work/\(name)") }

    /// All files in the working directory, including hidden ones.
    var files: [String] {
        let found = FileManager.default.enumerator(atPath: directory.appending(path: "work").path)
        return (found?.allObjects as? [String] ?? []).sorted()
    }

    /// Runs the program to its end; the calling task is suspended, not its thread.
    ///
    /// - Parameters:
    ///   - input: The standard input; nothing by default.
    ///   - output: The standard output, which the ending then lacks: `/dev/full`, a closed pipe.
    ///   - errors: The standard error, which the ending then lacks: a terminal.
    ///   - whileRunning: Gets the process after it was started.
    func run(
        _ arguments: [String], by executable: URL = Program.executable, input: FileHandle? = nil,
        output: FileHandle? = nil, errors: FileHandle? = nil,
        environment: [String: String] = [:],
        whileRunning: @escaping @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Ending {
        // Without a proxy and a home directory, so that the machine's settings do not matter.
        let usual = [
            "XDG_CACHE_HOME": directory.appending(path: "cache").path, "PATH": "/usr/bin:/bin",
            // The program does not have the code that makes Swift's locks visible to the thread sanitizer (see
            // CThreadSanitizer); its library is checked in the tests' own process.
            "TSAN_OPTIONS": "report_bugs=0",
            // Memory of unfinished work at the program's exit is not a leak.
            "ASAN_OPTIONS": "detect_leaks=0",
        ]
        // Into files, because the test does not read pipes while it waits.
        let files = try ["output", "errors"].map { name in
            let url = directory.appending(path: "\(name)-\(UUID().uuidString)")
            try Data().write(to: url)
            return url
        }
        let process = try ChildProcess(
            executable, arguments, environment: usual.merging(environment) { $1 },
            directory: directory.appending(path: "work"), input: input,
            output: output ?? FileHandle(forWritingTo: files[0]),
            errors: errors ?? FileHandle(forWritingTo: files[1]))
        async let status = process.wait()
        try await whileRunning(process.identifier)
        return Ending(
            status: await status, output: try Data(contentsOf: files[0]),
            errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }

    func run(_ arguments: String...) async throws -> Ending { try await run(arguments) }

    /// Runs a shell script, where `"$0"` is the program and `"$@"` are the arguments.
    func run(script: String, _ arguments: String...) async throws -> Ending {
        try await run(["-c", script, Self.executable.path] + arguments, by: URL(filePath: "/bin/sh"))
    }

    /// Built with the tests, in the directory of the test program.
    static let executable: URL = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: program).deletingLastPathComponent().appending(path: "webimage")
    }()

    /// Whether a program is there that is built only where its libraries are.
    fileprivate static func hasCompanion(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(
            atPath: executable.deletingLastPathComponent().appending(path: name).path)
    }
}

extension Trait where Self == ConditionTrait {
    /// For what `webimage transition` hands on to the second program.
    static var needsTransitionProgram: Self {
        .enabled(
            if: Program.hasCompanion("webimage-transition"),
            "webimage-transition is not built: GTK is missing, or WEBIMAGE_WITHOUT_GTK is set")
    }
}
