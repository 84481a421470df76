import FoundationEssentials
import Testing

@testable import webimage_gallery

@Suite struct PictureSourceTests {
    @Test("addresses of the web are those with http or https, in any case, and a host")
    func web() throws {
        let url = try #require(URL(string: "https://host/a?b=c"))
        #expect(PictureSource("https://host/a?b=c") == .web(url))
        #expect(PictureSource("HTTP://host/")?.address == "HTTP://host/")
        #expect(PictureSource("http://") == nil)
        #expect(PictureSource("https:///a.jpg") == nil)
        #expect(PictureSource("https://host/a")?.title == "https://host/a")
    }

    @Test(
        "what GIO opens stays as it is",
        arguments: [
            "file:///tmp/a%20b.jpg", "mtp://Phone_123/DCIM", "gphoto2://[usb:001,004]/", "sftp://ada@host/pictures",
            "smb://host/share/a.jpg",
        ])
    func place(uri: String) { #expect(PictureSource(uri) == .place(uri)) }

    @Test("a path becomes a file address, from the working directory, with its spaces and dots")
    func path() {
        let address = { PictureSource($0, in: "/home/ada")?.address }
        #expect(address("/tmp/a.jpg") == "file:///tmp/a.jpg")
        #expect(address("a b.jpg") == "file:///home/ada/a%20b.jpg")
        #expect(address("./x/../b.jpg") == "file:///home/ada/b.jpg")
        #expect(address("100%.jpg") == "file:///home/ada/100%25.jpg")
        #expect(PictureSource("/tmp/a b.jpg")?.title == "/tmp/a b.jpg")
    }

    @Test("a file with a colon in its name is a file", arguments: ["a:b.jpg", "http:a.jpg", "12:30 photo.png", ":x"])
    func colon(path: String) {
        guard case .place(let uri) = PictureSource(path, in: "/") else {
            Issue.record("\(path) is no place")
            return
        }
        #expect(uri.hasPrefix("file:///"))
    }

    @Test("nothing, and a name with a zero byte, are no sources", arguments: ["", "a\0b"])
    func nothing(argument: String) { #expect(PictureSource(argument) == nil) }

    @Test("a picture may be within its address")
    func data() throws {
        let address = "data:image/png;base64,AAAA"
        #expect(PictureSource(address) == .inline(try #require(URL(string: address))))
    }
}
