import Foundation
import WebImageTesting

/// nghttp2's own server, run as a process, which logs every frame: the loopback origin does not support HTTP/2.
final class HTTP2Server: Sendable {
    /// The contents of a server's log that tests need.
    struct Log: Sendable {
        let connectionCount: Int
        /// The maximum number of concurrent requests.
        let largestStreamCount: Int
        let resetCount: Int
        /// The share of the connection that each request asked for, in their order, where it was not the usual one.
        let weights: [Int]
        /// The shares that requests asked for later.
        let changedWeights: [Int]
        /// The `Priority` fields of the requests, in their order.
        let priorities: [String]
    }

    struct NotStarted: Error {
        let advice = "nghttpd does not run; scripts/bootstrap installs nghttp2-server"
    }

    private let directory: URL
    private let port: Int
    private let process: ChildProcess
    private let output: Output

    /// The text that a process has written, and whether it has ended.
    private typealias Output = Observed<(text: String, isWhole: Bool)>

    /// Starts a server of these files, by name.
    init(_ files: [String: Data]) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "http2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: directory.appending(path: name)) }
        (port, process, output) = try await Self.startSomewhere(directory)
    }

    /// Tries several ports, because another process may take one before the server does.
    private static func startSomewhere(_ directory: URL) async throws -> (Int, ChildProcess, Output) {
        for _ in 1..<5 {
            do { return try await start(directory) } catch is NotStarted { continue }
        }
        return try await start(directory)
    }

    /// Starts a process on a port that was free a moment ago.
    private static func start(_ directory: URL) async throws -> (Int, ChildProcess, Output) {
        let port = try RawOrigin([]).port
        // Debian's directory for it is not in the PATH of users.
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let pipe = Pipe()
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            [
                // nghttpd 1.70 writes to a pipe in large pieces.
                "stdbuf", "-oL", "nghttpd", "-v", "--address=127.0.0.1", "-d", directory.path, "\(port)",
                TestCertificates.serverKeyPath, TestCertificates.serverCertificatePath,
            ],
            environment: ["PATH": "\(path):/usr/sbin"], output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let output = Output(("", false))
        read(pipe.fileHandleForReading, of: process, to: output)
        let beginning = try await output.wait { $0.isWhole || $0.text.contains("listen") }
        guard !beginning.isWhole else { throw NotStarted() }
        return (port, process, output)
    }

    /// Reads continuously, because a server blocks on full output.
    private static func read(_ handle: FileHandle, of process: ChildProcess, to output: Output) {
        Thread {
            while true {
                let bytes = handle.availableData
                if bytes.isEmpty { break }
                output.update { $0.text += String(decoding: bytes, as: UTF8.self) }
            }
            _ = ChildProcess.status(of: process.identifier)
            output.update { $0.isWhole = true }
        }.start()
    }

    deinit {
        if !output.value.isWhole { kill(process.identifier, SIGTERM) }
        try? FileManager.default.removeItem(at: directory)
    }

    func url(_ name: String) throws -> URL { try parsed("https://127.0.0.1:\(port)/\(name)") }

    /// Ends the server, and reads its log.
    func stop() async throws -> Log {
        kill(process.identifier, SIGTERM)
        return Log(try await output.wait { $0.isWhole }.text)
    }
}

extension HTTP2Server.Log {
    /// Reads lines such as `[id=1] [  0.503] recv HEADERS frame <length=40, flags=0x05, stream_id=1>`.
    fileprivate init(_ text: String) {
        var connections: Set<Substring> = []
        var (open, largest, resets) = (0, 0, 0)
        // Two lines after that of its frame; other frames with a weight have no padding.
        let weights = text.matches(of: /padlen=[0-9]+, dep_stream_id=[0-9]+, weight=([0-9]+)/).compactMap {
            Int($0.output.1)
        }
        let changes = text.matches(of: /recv PRIORITY frame[^\n]*\n[^\n]*weight=([0-9]+)/).compactMap {
            Int($0.output.1)
        }
        let priorities = text.matches(of: /recv \(stream_id=[0-9]+\) priority: ([^\n]*)/).map { String($0.output.1) }
        for line in text.split(separator: "\n") {
            guard line.hasPrefix("[id="), let end = line.firstIndex(of: "]") else { continue }
            connections.insert(line[..<end])
            if line.contains("recv HEADERS") { open += 1 }
            if line.contains("send DATA"), line.contains("flags=0x01") { open -= 1 }
            if line.contains("recv RST_STREAM") { (open, resets) = (open - 1, resets + 1) }
            largest = max(largest, open)
        }
        self.init(
            connectionCount: connections.count, largestStreamCount: largest, resetCount: resets, weights: weights,
            changedWeights: changes, priorities: priorities)
    }
}
