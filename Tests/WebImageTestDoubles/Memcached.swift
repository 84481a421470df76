import Foundation
import Glibc

/// A memcached of the test's own, on a port of its own.
final class Memcached: Sendable {
    let port: UInt16
    private let process: ChildProcess
    private let folder = FileManager.default.temporaryDirectory.appending(path: "memcached-\(UUID().uuidString)")

    static let path = "/usr/bin/memcached"

    /// - Parameters:
    ///   - port: 0 for one that is free.
    ///   - arguments: More of its options.
    init(port: UInt16 = 0, arguments: [String] = []) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "port").path
        let number = port == 0 ? "-1" : "\(port)"
        process = try ChildProcess(
            URL(filePath: Self.path), ["-l", "127.0.0.1", "-p", number, "-u", "root", "-t", "2"] + arguments,
            environment: ["MEMCACHED_PORT_FILENAME": file])
        // It writes the file once it listens.
        while !FileManager.default.fileExists(atPath: file) { poll(nil, 0, 2) }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let own = text.split(whereSeparator: { !$0.isNumber }).compactMap({ UInt16($0) }).first else {
            throw TestFailure(text: "no port in \(text)")
        }
        self.port = own
    }

    deinit {
        end()
        try? FileManager.default.removeItem(at: folder)
    }

    func signal(_ number: Int32) { kill(process.identifier, number) }

    /// Returns once it has stopped: the signal alone may come a moment later.
    func stop() {
        signal(SIGSTOP)
        var status: Int32 = 0
        waitpid(process.identifier, &status, WUNTRACED)
    }

    func end() {
        kill(process.identifier, SIGKILL)
        kill(process.identifier, SIGCONT)
        _ = ChildProcess.status(of: process.identifier)
    }
}
