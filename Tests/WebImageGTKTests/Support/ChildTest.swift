import Foundation
import XCTest

/// Tests that run in a process of their own, because GTK decides something once per process.
struct ChildTest {
    /// As the test runner spells it: `Module.Class`, or `Module.Class/test`.
    let name: String
    private static let mark = "WEBIMAGE_TEST_CHILD"

    /// Whether this process is any test's child, whose environment is as that test needs it.
    static var isChild: Bool { getenv(mark) != nil }

    /// Whether this process is the child. In all others, such tests have nothing to do.
    var isHere: Bool { ProcessInfo.processInfo.environment[Self.mark] == name }

    /// Runs them, and fails if one of them does, or if their number is another one. Is skipped where all of them are.
    ///
    /// - Parameter changes: Of the environment; nil takes a variable away.
    func run(expecting count: Int, environment changes: [String: String?]) throws {
        var environment = ProcessInfo.processInfo.environment
        for (key, value) in changes { environment[key] = value }
        environment[Self.mark] = name
        let runner = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let child = try FinishedProgram(runner, [name], environment: environment)
        XCTAssertEqual(child.status, 0, child.output)
        let sum = "Executed \(count) test\(count == 1 ? "" : "s"), with "
        if child.output.contains("\(sum)\(count) test\(count == 1 ? "" : "s") skipped") { throw XCTSkip(child.output) }
        XCTAssertTrue(child.output.contains("\(sum)0 failures"), child.output)
    }
}

/// A program that serves a test until it is stopped.
final class TestServer {
    /// The first line that it prints.
    let greeting: String
    private let process = Process()

    /// - Parameters:
    ///   - program: An absolute path; the test is skipped where nothing is there.
    ///   - changes: Of the environment.
    init(
        _ program: String, _ arguments: [String] = [], environment changes: [String: String] = [:], package: String
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw XCTSkip("\(program) is not installed; install \(package)")
        }
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1) { line += byte }
        greeting = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
