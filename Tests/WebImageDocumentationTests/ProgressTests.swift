import Foundation
import Testing

@testable import WebImageTestDoubles

/// scripts/progress, which shows the Makefile's builds and tests: between the command, here a script, and the screen.
@Suite(.timeLimit(.minutes(5)))
struct ProgressTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../scripts/progress").standardizedFileURL

    private struct Run {
        let status: Int32
        let lines: [String]
        let log: String
    }

    /// Runs the script over a command that prints `output` and ends with `status`; what it prints itself is read as from a
    /// log.
    private func run(_ mode: String..., output: String, status: Int32 = 0) throws -> Run {
        try run(mode, output: output, ending: "exit \(status)")
    }

    private func run(_ mode: [String], output: String, ending: String, _ more: String...) throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appending(path: "progress-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (source, log) = (folder.appending(path: "source"), folder.appending(path: "new/log"))
        try Data(output.utf8).write(to: source)
        let pipe = Pipe()
        let process = try ChildProcess(
            Self.script,
            [mode[0], log.path] + mode.dropFirst() + ["sh", "-c", "cat \"$0\"; \(ending)", source.path]
                + more,
            output: pipe.fileHandleForWriting, errors: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return Run(
            status: ChildProcess.status(of: process.identifier),
            lines: told.split(separator: "\n").map(String.init),
            log: try String(contentsOf: log, encoding: .utf8))
    }

    // MARK: Builds

    @Test("a build that succeeds says how long it took")
    func build() throws {
        let steps = "Building for debugging...\n[1/2] Compiling A b.swift\n[2/2] Linking c\n"
        let run = try run("build", output: steps)
        #expect(run.status == 0)
        #expect(run.lines == ["build: done in 0:00"])
        #expect(run.log == steps)
    }

    @Test("a build that fails shows each error once with its code, no warning, and what to do")
    func failedBuild() throws {
        let error = """
            /a/b.swift:3:4: error: cannot find 'x' in scope
            2 | let y = x
              |         |- error: the same
              |         `- note: why
            3 | next

            """
        let warning = "/a/b.swift:9:1: warning: never used\n9 | let z = 1\n"
        let run = try run("build", output: "[1/2] Compiling A b.swift\n" + error + warning + error, status: 1)
        #expect(run.status == 1)
        #expect(run.lines.filter { $0.contains("cannot find 'x'") }.count == 1)
        #expect(run.lines.contains("2 | let y = x") && run.lines.contains("3 | next"))
        #expect(!run.lines.contains { $0.contains("never used") || $0.contains("let z") })
        #expect(run.lines.contains { $0.hasPrefix("build: failed after 0:00; ") })
        #expect(run.lines.last?.hasPrefix("build: all output is in /") == true)
    }

    @Test(
        "what to do depends on the failure",
        arguments: [
            ("/a/shim.h:2:10: fatal error: 'avif/avif.h' file not found\n", "scripts/bootstrap"),
            ("error: No space left on device\n", "the disk is full"),
            ("error: unable to execute command: Killed\n", "too little memory"),
            ("/a/b.swift:3:4: error: cannot find 'x' in scope\n", "mend what the errors name"),
        ])
    func advice(output: String, advice: String) throws {
        let run = try run("build", output: output, status: 1)
        #expect(run.lines.contains { $0.hasPrefix("build: failed") && $0.contains(advice) }, "\(run.lines)")
    }

    @Test("a failure without errors shows the end of the output, and a command that is killed has a shell's status")
    func otherFailures() throws {
        let lines = (1...30).map { "line \($0)" }
        let run = try run("build", output: lines.joined(separator: "\n"), status: 7)
        #expect(run.status == 7)
        #expect(Array(run.lines.prefix(20)) == Array(lines.suffix(20)))
        #expect(try self.run(["build"], output: "", ending: "kill -9 $$").status == 128 + 9)
    }

    // MARK: Tests

    @Test("two commands run beside each other, and the status is that of the one that fails")
    func beside() throws {
        let other = ["sh", "-c", "echo '✘ Test \"x\" failed after 0.1 seconds.'; exit 3"]
        let run = try run(
            ["test", "2"], output: "Test Case 'ATests.testB' passed (0.1 seconds)\n", ending: "exit 0", "--beside",
            other[0], other[1], other[2])
        #expect(run.status == 3)
        #expect(run.lines.contains("failed: \"x\"") && run.lines.last == "1 passed, 1 failed, 0 skipped")
    }

    @Test("the tests of both libraries are counted, and the last line has the totals")
    func totals() throws {
        let run = try run(
            "test", "5",
            output: """
                Test Case 'ATests.testB' started at 2026-01-01
                Test Case 'ATests.testB' passed (0.1 seconds)
                Test Case 'ATests.testC' skipped (0.0 seconds)
                ◇ Test "a failed load is retried" started.
                \u{1B}[92m✔\u{1B}[0m Test "a failed load is retried" passed after 0.001 seconds.
                ✔ Test case passing 1 argument a → 1 to "many" passed after 0.001 seconds.
                ✔ Test "many" with 2 test cases passed after 0.001 seconds.
                ➜ Test "what passed after 3 seconds" skipped: "there is no corpus"
                ✔ Suite "S" passed after 0.002 seconds.
                ✔ Test run with 3 tests in 1 suite passed after 0.002 seconds.

                """)
        #expect(run.status == 0)
        #expect(run.lines.last == "3 passed, 0 failed, 2 skipped")
    }

    @Test("a failure is shown with its reasons before the totals")
    func failures() throws {
        let run = try run(
            "test", "2",
            output: """
                /a/b.swift:7: error: ATests.testB : XCTAssertTrue failed - why
                Test Case 'ATests.testB' failed (0.1 seconds)
                ✘ Test "c" recorded an issue at c.swift:1:2: Expectation failed: x
                ↳ because of d
                ↳ and of e
                ✔ Test "f" passed after 0.001 seconds.
                ↳ of nothing that failed
                ✘ Test "c" with 2 test cases failed after 0.001 seconds with 1 issue.
                ✘ Suite "S" failed after 0.002 seconds with 1 issue.
                ✘ Test run with 2 tests in 1 suite failed after 0.002 seconds with 1 issue.

                """, status: 1)
        #expect(run.status == 1)
        #expect(
            run.lines == [
                "/a/b.swift:7: error: ATests.testB : XCTAssertTrue failed - why",
                "failed: ATests.testB",
                "✘ Test \"c\" recorded an issue at c.swift:1:2: Expectation failed: x",
                "↳ because of d",
                "↳ and of e",
                "failed: \"c\" with 2 test cases",
                "test: 0:00; all output is in \(run.lines[6].split(separator: " ").last ?? "")",
                "1 passed, 2 failed, 0 skipped",
            ])
    }

    @Test("tests that end without a failure of a test show the end of their output")
    func crash() throws {
        let run = try run(
            "test", "2", output: "✔ Test \"f\" passed after 0.001 seconds.\nFatal error: g\n", status: 132)
        #expect(run.status == 132)
        #expect(run.lines.first == "Fatal error: g")
        #expect(run.lines.contains("test: the tests ended with status 132; the end of their output:"))
        #expect(run.lines.last == "1 passed, 0 failed, 0 skipped")
    }
}
