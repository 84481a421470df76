import Foundation

/// The curl command line, run as a process: a client of the origin that shares no code with this library.
struct Curl: Sendable {
    let status: Int32
    let output: Data

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs `curl -s` and returns when it has ended; the calling task is suspended, not its thread.
    static func run(_ arguments: String...) async throws -> Curl { try await run(arguments) }

    static func run(_ arguments: [String]) async throws -> Curl {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "-s", "--noproxy", "*", "--max-time", "20"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            let run = Thread {
                do {
                    try process.run()
                    let output = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: Curl(status: process.terminationStatus, output: output))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            run.start()
        }
    }
}
