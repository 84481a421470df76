import FoundationEssentials
import Testing

@testable import WebImageHTTP

@Suite("HTTP heads")
struct HTTPHeadParserTests {
    private func parse(_ lines: String...) -> [String: String] {
        var parser = HTTPHeadParser()
        for line in lines { Array(line.utf8).withUnsafeBytes { _ = parser.append(line: $0) } }
        return parser.fields()
    }

    @Test("names are lower-cased, values trimmed, repeated fields joined")
    func fields() {
        let fields = parse(
            "HTTP/1.1 200 OK\r\n", "Content-Type:  image/png \r\n", "Vary: a\r\n", "vary:b\r\n", "Empty:\r\n", "\r\n")
        #expect(fields == ["content-type": "image/png", "vary": "a, b", "empty": ""])
    }

    @Test("the last answer counts: the fields of an interim answer or a redirect are gone")
    func lastAnswer() {
        let fields = parse(
            "HTTP/1.1 302 Found\r\n", "Location: /b\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n")
        #expect(fields == ["a": "b"])
    }

    @Test("a folded line continues the value above it")
    func folded() {
        #expect(parse("HTTP/1.1 200 OK\r\n", "A: b\r\n", "\t c\r\n", "\r\n") == ["a": "b c"])
    }

    @Test("bytes without meaning are ignored")
    func hostile() {
        let fields = parse("HTTP/1.1 200 OK\r\n", " lonely\r\n", "no colon\r\n", ":\r\n", "::\r\n", "\r\n", "")
        #expect(fields == ["": ", :"])
        var parser = HTTPHeadParser()
        [0x41, 0x3A, 0xFF, 0xFE, 0x0D, 0x0A].withUnsafeBytes { _ = parser.append(line: $0) }
        #expect(parser.fields().isEmpty)
    }

    @Test("ten thousand fields are read quickly")
    func many() {
        var parser = HTTPHeadParser()
        Array("HTTP/1.1 200 OK\r\n".utf8).withUnsafeBytes { _ = parser.append(line: $0) }
        for _ in 0..<10_000 { Array("a:b\r\n".utf8).withUnsafeBytes { _ = parser.append(line: $0) } }
        let length = 10_000 + 9_999 * 2
        #expect(parser.fields()["a"]?.utf8.count == length)
    }

    @Test(
        "a status has three digits, whatever libcurl accepts",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", false), ("HTTP/1.1 200\r\n", false), ("HTTP/2 204 \r\n", false),
            ("HTTP/1.0 404 Not\n", false), ("HTTP/1.1 2000 OK\r\n", true), ("HTTP/1.1 20 OK\r\n", true),
            ("HTTP/1.1 2x0 OK\r\n", true), ("HTTP/1.1\r\n", true), ("Server: HTTP/1.1 2000\r\n", false),
        ])
    func status(line: String, isBad: Bool) {
        var parser = HTTPHeadParser()
        Array(line.utf8).withUnsafeBytes { _ = parser.append(line: $0) }
        #expect(parser.hasBadStatus == isBad)
    }

    @Test("the empty line ends a head")
    func end() {
        var parser = HTTPHeadParser()
        let ends = ["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", "\n"].map { line in
            Array(line.utf8).withUnsafeBytes { parser.append(line: $0) }
        }
        #expect(ends == [false, false, true, true])
    }
}
