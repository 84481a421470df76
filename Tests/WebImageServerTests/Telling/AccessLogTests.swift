import Foundation
import Glibc
import Testing

@testable import WebImageServer
@testable import WebImageTestDoubles

@Suite("Access log", .timeLimit(.minutes(1)))
struct AccessLogTests {
    private static func entry(_ number: Int) -> AccessLog.Entry {
        AccessLog.Entry(
            time: "2026-01-02T03:04:05Z", id: "\(number)", client: "127.0.0.1", method: "GET", target: "/a\n\"b\"",
            status: 200, bytes: 7, milliseconds: 1.5, from: "disk", format: nil, error: nil)
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func lines(_ file: URL) throws -> [Substring] {
        String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
    }

    @Test("each request is one line of JSON, in their order, and a file that was moved away is begun anew")
    func lines() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, old) = (folder.appending(path: "log"), folder.appending(path: "log.1"))
        let log = try AccessLog(file.path)
        for number in 0..<100 { log.note(Self.entry(number)) }
        log.finish()
        try FileManager.default.moveItem(at: file, to: old)
        log.note(Self.entry(100))
        log.finish()
        try log.reopen()
        log.note(Self.entry(101))
        log.finish()
        let ids = try Self.lines(old).map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
        #expect(ids.map { $0?["id"] as? String } == (0...100).map { "\($0)" })
        #expect(ids.allSatisfy { $0?["target"] as? String == "/a\n\"b\"" })
        #expect(try Self.lines(file).count == 1)
    }

    @Test("lines that the disk has no room for are counted, and cost nothing else")
    func full() throws {
        let log = try AccessLog("/dev/full")
        for number in 0..<3 { log.note(Self.entry(number)) }
        log.finish()
        #expect(log.lostCount == 3)
    }

    @Test("a pipe that nothing reads from stops no request, and takes a bounded number of lines")
    func blocked() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR)
        let log = try AccessLog(pipe)
        for number in 0..<12_000 { log.note(Self.entry(number)) }
        #expect(log.lostCount > 0)
        // The writer comes to its end: the pipe is read from, until all lines are there.
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var lineCount = 0
        while lineCount + log.lostCount < 12_000 {
            let count = max(0, read(reader, &bytes, bytes.count))
            lineCount += bytes[..<count].count { $0 == 10 }
        }
        close(reader)
    }

    @Test("a place that cannot be written is told at the start, and a log that is off takes nothing")
    func places() throws {
        #expect(throws: PictureServerError.self) { try AccessLog("/nowhere/log") }
        let log = try AccessLog("off")
        log.note(Self.entry(0))
        log.finish()
        #expect(log.lostCount == 0)
    }
}
