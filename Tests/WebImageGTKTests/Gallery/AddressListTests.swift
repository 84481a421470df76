import FoundationEssentials
import Testing

@testable import webimage_gallery

@Suite struct AddressListTests {
    private func list(_ text: String, at place: String = "http://host/lists/today.txt") throws -> AddressList {
        try AddressList(Data(text.utf8), at: try #require(URL(string: place)))
    }

    private func parse(_ text: String, at place: String = "http://host/lists/today.txt") throws -> [String] {
        try list(text, at: place).urls.map(\.absoluteString)
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
        let list = try list("http://\na.png\nhttps:///b.png", at: "http://host/list")
        #expect(list.urls.map(\.absoluteString) == ["http://host/a.png"])
        #expect(list.refused == ["http://", "https:///b.png"])
    }

    @Test("a list on the web names no files and no places; a list in a file does")
    func files() throws {
        let text = "file:///etc/a.jpg\nsmb://server/a.jpg\nhttp://other/a.jpg\nFTP://x/a.jpg"
        let list = try list(text, at: "HTTPS://host/list")
        #expect(list.urls.map(\.absoluteString) == ["http://other/a.jpg"])
        #expect(list.refused.count == 3)
        #expect(try parse(text, at: "file:///tmp/list").count == 4)
    }

    @Test("a list in a file has paths, as they would be typed: no character of them has a meaning")
    func paths() throws {
        let urls = try parse("photo #1.jpg\na?b.jpg\n12:30 photo.jpg\n/c/100%.jpg\n../d.jpg", at: "file:///a%20b/list")
        #expect(
            urls == [
                "file:///a%20b/photo%20%231.jpg", "file:///a%20b/a%3Fb.jpg", "file:///a%20b/12%3A30%20photo.jpg",
                "file:///c/100%25.jpg", "file:///d.jpg",
            ])
    }

    private func problem(_ data: Data) throws -> String? {
        let place = try #require(URL(string: "http://host/list"))
        do throws(SourceProblem) {
            _ = try AddressList(data, at: place)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "JSON of another kind is not read as a list of lines", arguments: [#"["a.png", 3]"#, #"{"a": "b"}"#, "[a.png"])
    func otherJSON(text: String) throws {
        #expect(try problem(Data(text.utf8)) == "http://host/list: this JSON is not an array of addresses")
    }

    @Test("an empty list is an error with its position and advice", arguments: ["", "\n\n", "[]", "# nothing"])
    func empty(text: String) throws {
        #expect(
            try problem(Data(text.utf8))
                == "http://host/list: no addresses in it; give one on each line, or a JSON array")
    }

    @Test(
        "what is no text in UTF-8 is said to be that",
        arguments: [Data([0x89]) + Data("PNG".utf8), Data("été.jpg".utf16.map { UInt8(truncatingIfNeeded: $0) })])
    func noText(data: Data) throws {
        #expect(
            try problem(data) == "http://host/list: this is neither a picture that can be shown nor text in UTF-8")
    }
}
