import Foundation
import Testing
import WebImageCore

@Suite("Errors")
struct WebImageErrorTests {
    private func text(_ address: String) throws -> String {
        let url = try #require(URL(string: address))
        return WebImageError(.timedOut, stage: .load, kind: .transient, reason: "too late", url: url).description
    }

    @Test("an error names the address and what happened, on one line")
    func description() throws {
        #expect(try text("http://host/a.jpg?b=c@d") == "http://host/a.jpg?b=c@d: too late")
    }

    @Test("a password reaches the server, but no log")
    func password() throws {
        let said = try text("http://me:secret@host/a.jpg")
        #expect(said.contains("me:"))
        #expect(said.contains("@host/a.jpg"))
        #expect(!said.contains("secret"))
    }

    @Test("what a server sends moves no cursor, breaks no line and turns no text around")
    func controls() throws {
        let reason = "redirected to gopher://\u{1B}]0;x\u{7}\r\n\u{7F}\u{9B}31m\u{202E}, é 日 👍"
        let error = WebImageError(.unsupportedScheme, stage: .load, kind: .permanent, reason: reason)
        let mark = "\u{FFFD}"
        #expect(
            error.reason == "redirected to gopher://\(mark)]0;x\(mark)\(mark)\(mark)\(mark)\(mark)31m\(mark), é 日 👍")
    }

    @Test("an address of megabytes is cut")
    func length() throws {
        #expect(try text("data:image/png;base64," + String(repeating: "A", count: 3 << 20)).count < 300)
    }

    @Test("an app shows the same line of any error")
    func localized() {
        let error: any Error = WebImageError(
            .fileNotFound, stage: .load, kind: .permanent, reason: "there is no such file; check the path",
            url: URL(string: "file:///a.jpg"))
        #expect(error.localizedDescription == "file:///a.jpg: there is no such file; check the path")
    }

    @Test("a code prints its name, or the number of an app's own")
    func codes() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let file = root.appending(path: "Sources/WebImageCore/Support/Errors/WebImageError.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let codes = source.matches(of: /static let (\w+) = Code\(rawValue: (\d+)\)/)
        #expect(codes.count > 20)
        for code in codes {
            #expect("\(WebImageError.Code(rawValue: try #require(Int(code.2))))" == code.1)
        }
        #expect("\(WebImageError.Code(rawValue: 10_001))" == "10001")
    }
}
