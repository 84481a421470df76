import FoundationEssentials
import Glibc
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("The file of cookies", .timeLimit(.minutes(5)))
struct CookieFileTests {
    private let directory: CacheDirectory
    private let path: String

    init() throws {
        directory = try CacheDirectory()
        path = directory.path + "/cookies"
    }

    private static func line(_ name: String, _ value: String = "1", expiry: Int = 0) -> String {
        "a.example\tFALSE\t/\tFALSE\t\(expiry)\t\(name)\t\(value)"
    }

    private func write(_ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    }

    private func text() throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

    private var names: Set<String> {
        get throws {
            let lines = try text().split(separator: "\n").filter { !$0.hasPrefix("# ") }
            return Set(lines.map { String($0.split(separator: "\t")[5]) })
        }
    }

    /// Gives the jar a cookie, as an answer does.
    private static func add(_ line: String, to jar: CurlCookieJar) throws {
        let handle = try CurlHandle()
        try handle.use(jar)
        try handle.add(cookie: line.utf8)
    }

    @Test("of eight that keep one file at the same time, each keeps what was there and what the others add")
    func manyWriters() async throws {
        try write((0..<300).map { Self.line("old\($0)") })
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask { [path] in
                    guard let jar = try? CurlCookieJar(file: path) else { return }
                    for number in 0..<10 {
                        try? Self.add(Self.line("new\(writer).\(number)"), to: jar)
                        jar.save()
                    }
                }
            }
        }
        #expect(try names.count == 380)
    }

    @Test("the file is replaced as a whole: a process that ends in the middle leaves the one that was there")
    func replacement() throws {
        try write([Self.line("old")])
        let (before, reader) = (try Data(text().utf8), try POSIXFileSystem().openToRead(path))
        defer { POSIXFileSystem().close(reader) }
        let jar = try CurlCookieJar(file: path)
        try Self.add(Self.line("new"), to: jar)
        jar.save()
        #expect(try names == ["old", "new"])
        #expect(try POSIXFileSystem().read(reader, at: 0, count: 1000) == Array(before))
    }

    @Test("without a change nothing is written")
    func noChange() throws {
        try write([Self.line("old"), "# by hand"])
        let before = try text()
        let jar = try CurlCookieJar(file: path)
        jar.save()
        #expect(try text() == before)
    }

    @Test("a cookie that was taken back is gone, but not one that another has renewed meanwhile")
    func removal() throws {
        try write([Self.line("gone"), Self.line("renewed"), Self.line("kept")])
        let jar = try CurlCookieJar(file: path)
        try write([Self.line("gone"), Self.line("renewed", "2"), Self.line("kept"), Self.line("others")])
        for name in ["gone", "renewed"] { try Self.add(Self.line(name, expiry: 1), to: jar) }
        jar.save()
        #expect(try names == ["renewed", "kept", "others"])
    }

    @Test("a cookie keeps its place when it changes, one that has expired goes, and all bytes of a value stay")
    func rules() {
        let lines = [Self.line("a"), Self.line("b", expiry: 99), "#HttpOnly_" + Self.line("c")].map { Array($0.utf8) }
        var table = CookieTable(lines: lines)
        let changed = Array(Self.line("a").utf8.dropLast()) + [0xE4]
        table.merge(CookieTable(lines: lines.dropFirst() + [changed]).changes(since: table), over: table)
        #expect(table.lines == [changed] + lines.dropFirst())
        #expect(CookieTable(text: table.text(at: 100)).lines == [changed, lines[2]])
        #expect(CookieTable(text: table.text(at: 99)).lines == [changed] + lines.dropFirst())
    }

    @Test("the file is not made larger than what is read, and the oldest cookies make way")
    func limit() {
        let value = String(repeating: "x", count: 4000)
        let table = CookieTable(lines: (0..<1500).map { Array(Self.line("c\($0)", value).utf8) })
        let text = table.text(at: 0)
        #expect(text.count <= SharedTextFile.largestByteCount && text.count > SharedTextFile.largestByteCount - 5000)
        #expect(CookieTable(text: text).lines.last == table.lines.last)
    }

    @Test("cookies as header fields are read, and written as all others")
    func headerFields() throws {
        try write(["Set-Cookie: id=1; domain=a.example; path=/"])
        let jar = try CurlCookieJar(file: path)
        jar.save()
        #expect(try names == ["id"])
    }
}
