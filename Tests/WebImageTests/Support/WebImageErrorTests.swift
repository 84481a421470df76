import Foundation
import Testing
import WebImage

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
}
