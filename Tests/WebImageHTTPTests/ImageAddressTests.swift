import Foundation
import Testing
import WebImageCore
import WebImageHTTP

@testable import WebImageTestDoubles

@Suite("Addresses of pictures")
struct ImageAddressTests {
    @Test("a URL is its own address, and a text is a URL or the path of a file")
    func urls() throws {
        let url = try parsed("https://example.org/a.jpg")
        let addresses: [(any ImageAddress)?] = [url, url.absoluteString, "/tmp/a b.jpg", Optional(url)]
        let file = URL(filePath: "/tmp/a b.jpg")
        #expect(try addresses.map { try $0?.imageURL } == [url, url, file, url])
    }

    @Test(
        "a path begins with /, ./, ../ or ~/", arguments: ["./a.jpg", "../b/a:c.jpg", "~/a.jpg", "/a", "./https://a"])
    func paths(text: String) throws {
        #expect(try text.imageURL == URL(filePath: text).absoluteURL)
        #expect(try text.imageURL.isFileURL)
    }

    @Test(
        "a text without a scheme that is no path is refused, with what to write instead",
        arguments: ["example.com/a.jpg", "a.jpg", "example.com:8080/a.jpg", "localhost:80", "a b.jpg", "~a/b", "a"])
    func neither(text: String) throws {
        let error = #expect(throws: WebImageError.self) { try text.imageURL }
        #expect(error?.code == .invalidURL)
        #expect(
            error?.description
                == "\(text) has no scheme; write https://\(text) for an address, or ./\(text) for a file")
    }

    @Test("schemes of the app's own are schemes", arguments: ["store:17", "com.example.app:a.jpg", "asset:a@2x.png"])
    func ownSchemes(text: String) throws {
        #expect(try text.imageURL == URL(string: text))
    }

    @Test("where relative paths are usual, what has no scheme is a path", arguments: ["a.jpg", "example.com/a.jpg"])
    func usualPaths(text: String) throws {
        #expect(try URL(addressOrPath: text) == URL(filePath: text).absoluteURL)
        #expect(try URL(addressOrPath: "https://example.com/a.jpg").absoluteString == "https://example.com/a.jpg")
        #expect(throws: WebImageError.self) { try URL(addressOrPath: "") }
    }

    @Test("a text that is neither is an invalid URL", arguments: ["", "http://", "http:///a.jpg", "http://a b"])
    func refused(text: String) throws {
        let error = #expect(throws: WebImageError.self) { try text.imageURL }
        #expect(error?.code == .invalidURL)
    }
}
