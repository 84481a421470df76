import Foundation

/// A program that a test has run to its end.
struct FinishedProgram {
    let status: Int32
    /// The text that it has printed, with its complaints.
    let output: String

    /// Runs it.
    ///
    /// - Parameter environment: nil for that of the tests.
    init(_ program: URL, _ arguments: [String], environment: [String: String]? = nil) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        if let environment { process.environment = environment }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
