import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

/// Addresses as people, pages and servers write them; browsers agree on what they mean (WHATWG URL Standard).
@Suite("Addresses of the web", .timeLimit(.minutes(5)))
struct WebAddressTests {
    @Test(
        "valid escapes stay, and what a URL may not contain is escaped",
        arguments: [
            // Paths
            ("http://h/a%20b c.png", "http://h/a%20b%20c.png"),
            ("http://h/[%EC%88%98]%20vol.5.png", "http://h/%5B%EC%88%98%5D%20vol.5.png"),
            ("http://h/100%.png", "http://h/100%25.png"),
            ("http://h/%zz%4", "http://h/%25zz%254"),
            ("http://h/ü%C3%BC", "http://h/%C3%BC%C3%BC"),
            ("http://h/a|b^c`{d}\"<e>", "http://h/a%7Cb%5Ec%60%7Bd%7D%22%3Ce%3E"),
            ("http://h/:@!$&'()*+,;=-._~", "http://h/:@!$&'()*+,;=-._~"),
            ("http://h\\a\\b.png", "http://h/a/b.png"),
            ("http://h/a/b/../%2e%2E/c.png", "http://h/c.png"),
            ("http://h/./a/%2e/b/.%2E/x.png", "http://h/a/x.png"),
            ("http://h/a%2e%2e/%2eb", "http://h/a%2e%2e/%2eb"),
            ("http://h/../a/..", "http://h/"),
            // Queries and fragments
            ("http://h/a?x[]=1&y=%20 z", "http://h/a?x%5B%5D=1&y=%20%20z"),
            ("http://h/a?b\\c?d/e", "http://h/a?b%5Cc?d/e"),
            ("http://h/a#b#c d", "http://h/a#b%23c%20d"),
            ("http://h?a", "http://h?a"),
            // Names and passwords
            ("http://ada:pü%40@h/", "http://ada:p%C3%BC%40@h/"),
            ("http://a@b:c@d@h/", "http://a%40b:c%40d@h/"),
            // White space
            ("  http://h/a\n", "http://h/a"),
            ("http://h/a\n  b\tc", "http://h/a%20%20bc"),
            // Other schemes
            (
                "data:image/svg+xml,%3Csvg fill='%230d6efd'%3E</svg>",
                "data:image/svg+xml,%3Csvg%20fill='%230d6efd'%3E%3C/svg%3E"
            ),
            ("data:,a\\b", "data:,a%5Cb"),
            // Hosts
            ("http://[::1]:8080/a b", "http://[::1]:8080/a%20b"),
        ])
    func absolute(text: String, address: String) {
        #expect(URL(webAddress: text)?.absoluteString == address)
    }

    @Test(
        "what is relative is resolved after that",
        arguments: [
            ("/any/[%EC%88%98]%20vol.5.png", "http://h/any/%5B%EC%88%98%5D%20vol.5.png"),
            ("a b.png", "http://h/x/a%20b.png"),
            ("..\\c d.png", "http://h/c%20d.png"),
            ("\\\\other/e f", "http://other/e%20f"),
            ("//other/e f", "http://other/e%20f"),
            ("?q=1 2", "http://h/x/y?q=1%202"),
            ("1a:b c", "http://h/x/1a:b%20c"),
            ("http://other/%20 g", "http://other/%20%20g"),
            ("%2E%2e/c", "http://h/c"),
        ])
    func relative(text: String, address: String) throws {
        let base = try #require(URL(string: "http://h/x/y?z"))
        #expect(URL(webAddress: text, relativeTo: base)?.absoluteString == address)
    }

    @Test(
        "a host with characters that no host has is no address",
        arguments: ["http://a b/", "http://a<b>/", "http://a%zz/", "http://a^b/", "http://a|b/", "http://u@a b/"])
    func hosts(text: String) {
        #expect(URL(webAddress: text) == nil)
    }

    @Test("the server is asked for what the address says, also after a redirect")
    func requests() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/any/a%20b%20c.png", .redirect(to: "/any/[%EC%88%98]%20vol.5.png"))
        origin.serve("/any/%5B%EC%88%98%5D%20vol.5.png", .text("x"))
        let load = RecordedLoad(
            try (origin.url("/any/").absoluteString + "a%20b c.png").imageURL, by: WebImageDownloader.direct())
        #expect(try await load.response.data == Data("x".utf8))
        #expect(origin.requests.map(\.target) == ["/any/a%20b%20c.png", "/any/%5B%EC%88%98%5D%20vol.5.png"])
    }

    @Test("data: addresses as tools for style sheets write them are pictures")
    func inlinePictures() async throws {
        let text = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' fill='%230d6efd'%3E%3C/svg%3E"
        let data = try await RecordedLoad(try text.imageURL, by: DataURLLoader()).response.data
        let document = "<svg xmlns='http://www.w3.org/2000/svg' fill='#0d6efd'></svg>"
        #expect(String(decoding: data, as: UTF8.self) == document)
    }

    @Test("a password is what is written, decoded once")
    func passwords() throws {
        let url = try "http://ada:pü%40@example.org/a".imageURL
        #expect(url.password(percentEncoded: false) == "pü@")
    }
}
