import Foundation

/// The curl command line, run as a process: a client of the origin that shares no code with this library.
struct Curl: Sendable {
    let status: Int32
    let output: Data

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs `curl -s` and returns when it has ended; the calling task is suspended, not its thread.
    static func run(_ arguments: String...) async throws -> Curl { try await run(arguments) }

    static func run(_ arguments: [String]) async throws -> Curl {
        let pipe = Pipe()
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/env"), ["curl", "-s", "--noproxy", "*", "--max-time", "20"] + arguments,
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        return await withCheckedContinuation { continuation in
            Thread {
                let output = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(
                    returning: Curl(status: ChildProcess.status(of: process.identifier), output: output))
            }.start()
        }
    }
}
