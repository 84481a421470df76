import Foundation
import Testing
import WebImage

@Suite("Addresses of pictures")
struct ImageAddressTests {
    @Test("a URL is its own address, and a text is a URL or the path of a file")
    func urls() throws {
        let url = try parsed("https://example.org/a.jpg")
        let addresses: [(any ImageAddress)?] = [url, url.absoluteString, "/tmp/a b.jpg", Optional(url)]
        let file = URL(filePath: "/tmp/a b.jpg")
        #expect(try addresses.map { try $0?.imageURL } == [url, url, file, url])
    }

    @Test("a text that is neither is an invalid URL", arguments: ["", "http://", "http:///a.jpg", "http://a b"])
    func refused(text: String) throws {
        let error = #expect(throws: WebImageError.self) { try text.imageURL }
        #expect(error?.code == .invalidURL)
    }
}
