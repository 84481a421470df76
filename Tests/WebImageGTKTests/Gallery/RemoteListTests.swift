import FoundationEssentials
import Testing
import WebImage
import WebImageTesting

@testable import webimage_gallery

@Suite(.timeLimit(.minutes(5))) @MainActor struct RemoteListTests {
    private func parse(_ text: String) throws -> [String] {
        let base = try #require(URL(string: "http://host/lists/today.txt"))
        return try RemoteList.parse(Data(text.utf8), from: base).get().urls.map(\.absoluteString)
    }

    @Test("one address on each line; empty lines and comments do not count")
    func lines() throws {
        let urls = try parse("http://other/a.jpg\r\n\n# today\n  /b.png\nc.webp\n")
        #expect(urls == ["http://other/a.jpg", "http://host/b.png", "http://host/lists/c.webp"])
    }

    @Test("a JSON array of addresses")
    func json() throws {
        #expect(try parse(#"["http://other/a.jpg", "b.png"]"#) == ["http://other/a.jpg", "http://host/lists/b.png"])
    }

    @Test("a name keeps its inner spaces; a byte order mark is no part of the first name")
    func spaces() throws {
        #expect(
            try parse("\u{FEFF}a b.png\r\n c.png \n") == ["http://host/lists/a%20b.png", "http://host/lists/c.png"])
    }

    @Test("an invalid line is left out, and returned")
    func refused() throws {
        let base = try #require(URL(string: "http://host/list"))
        let contents = try RemoteList.parse(Data("http://\na.png\nhttps:///b.png".utf8), from: base).get()
        #expect(contents.urls.map(\.absoluteString) == ["http://host/a.png"])
        #expect(contents.refused == ["http://", "https:///b.png"])
    }

    @Test("a list on the web names no files and no places; a list in a file does")
    func files() throws {
        let text = "file:///etc/a.jpg\nsmb://server/a.jpg\nhttp://other/a.jpg\nFTP://x/a.jpg"
        let base = try #require(URL(string: "HTTPS://host/list"))
        let contents = try RemoteList.parse(Data(text.utf8), from: base).get()
        #expect(contents.urls.map(\.absoluteString) == ["http://other/a.jpg"])
        #expect(contents.refused.count == 3)
        let file = try RemoteList.parse(Data(text.utf8), from: URL(filePath: "/tmp/list")).get()
        #expect(file.urls.count == 4)
    }

    @Test("a list is read from where a redirect leads to")
    func redirect() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/list", .redirect(to: "/moved/to/list"))
        origin.serve("/moved/to/list", .text("a.jpg"))
        let list = try await RemoteList(address: origin.url("/list").absoluteString).load(by: directLoader)
        #expect(list.urls.map(\.path) == ["/moved/to/a.jpg"])
    }

    @Test(
        "JSON of another kind is not read as a list of lines", arguments: [#"["a.png", 3]"#, #"{"a": "b"}"#, "[a.png"])
    func otherJSON(text: String) throws {
        let base = try #require(URL(string: "http://host/list"))
        guard case .failure(let failure) = RemoteList.parse(Data(text.utf8), from: base) else {
            Issue.record("this is no array of addresses")
            return
        }
        #expect(failure.message == "http://host/list: this JSON is not an array of addresses")
    }

    @Test(
        "an empty list is an error with its position and advice",
        arguments: ["", "\n\n", "[]", "# nothing", "\u{89}PNG"])
    func empty(text: String) throws {
        let base = try #require(URL(string: "http://host/lists/today.txt"))
        // Latin-1, which makes the last of them invalid UTF-8: a picture instead of a list.
        let data = Data(text.unicodeScalars.map { UInt8($0.value) })
        guard case .failure(let failure) = RemoteList.parse(data, from: base) else {
            Issue.record("there is no address to be found")
            return
        }
        #expect(failure.message.hasPrefix("http://host/lists/today.txt: no addresses in it"))
    }
}
