import FoundationEssentials
import Testing
import WebImageCore

@testable import WebImageServer

@Suite("Rules for sources")
struct SourceRulesTests {
    /// All that a service may have.
    private static func rules(_ prefixes: String..., base: String? = nil) throws -> SourceRules {
        try SourceRules(prefixes: prefixes, root: "/srv", s3: S3Settings(), baseURL: base)
    }

    /// The address, or the status of the refusal.
    private static func reading(_ source: String, by rules: SourceRules) -> String {
        do throws(AddressError) { return try rules.url(for: source).absoluteString } catch {
            return "\(error.status.rawValue)"
        }
    }

    @Test(
        "an address has one spelling, which is the one that is loaded",
        arguments: [
            ("http://example.com/a.jpg", "http://example.com/a.jpg"),
            ("HTTPS://EXAMPLE.com:443/A.jpg?b=C#d", "https://example.com:443/A.jpg?b=C"),
            ("http://example.com", "http://example.com"), ("http://example.com./a", "http://example.com/a"),
            ("http://ex%61mple.com/a", "http://example.com/a"), ("http://0x7f.1/a", "http://127.0.0.1/a"),
            ("http://017700000001/a", "http://127.0.0.1/a"), ("http://2130706433/a", "http://127.0.0.1/a"),
            ("http://[0:0:0:0:0:0:0:1]/a", "http://[::1]/a"),
            ("http://example.com/a b.jpg", "http://example.com/a%20b.jpg"),
            ("http://example.com/a/../b/./c", "http://example.com/b/c"),
            ("http://example.com/a/%2e%2E/b", "http://example.com/b"),
            ("http://example.com/%41%2f", "http://example.com/%41%2f"),
            ("local:///a/b.jpg", "local:///a/b.jpg"), ("LOCAL:///a//./b%20c#d.jpg?v=1", "local:///a/b%20c%23d.jpg"),
            ("local:///%ff", "local:///%FF"), ("http://a.b/#\u{301}", "http://a.b/"),
            ("http://a.b/\u{301}@c.d", "http://a.b/%CC%81@c.d"),
            ("s3://bucket/a b/c+d%2Be.jpg", "s3://bucket/a%20b/c%2Bd%2Be.jpg"),
            ("s3://bucket/ä#1?versionId=a/b", "s3://bucket/%C3%A4%231?versionId=a%2Fb"),
            ("s3://bucket//a//b/?v1", "s3://bucket//a//b/?versionId=v1"),
        ])
    func spelling(source: String, address: String) throws {
        let rules = try Self.rules()
        #expect(Self.reading(source, by: rules) == address)
        #expect(Self.reading(address, by: rules) == address, "it is read as it is written")
    }

    @Test(
        "what is no source is refused with its reason",
        arguments: [
            ("a.jpg", 404, "scheme"), ("//example.com/a", 404, "scheme"), ("", 404, "scheme"),
            ("file:///etc/passwd", 404, "file:"), ("data:image/png;base64,AA", 404, "data:"),
            ("ftp://a.b/c", 404, "ftp:"),
            ("gopher://a.b/c", 404, "gopher:"), ("javascript:alert(1)", 404, "javascript:"),
            ("dict://a:1/", 404, "dict:"),
            ("unix:///run/a.sock", 404, "unix:"), ("http:a.b/c", 400, "no host"), ("http:///a", 400, "no address"),
            ("http://a b/c", 400, "no address"), ("http://a.b:0/", 400, "no address"),
            ("http://a.b:65536/", 400, "no address"),
            ("http://a.b:x/", 400, "no address"), ("http://user@a.b/c", 403, "no user"),
            ("http://user:word@a.b/c", 403, "no user"), ("http://a.b\\@c.d/", 400, "%5C"),
            ("http://a.b\\\u{301}/", 400, "%5C"),
            ("http://a.b/\tc", 400, "control"),
            ("http://a.b/\nc", 400, "control"), ("http://a.b/c\u{7f}", 400, "control"),
            ("http://a%40b/", 400, "no address"),
            ("http://a%2fb/", 400, "no address"), ("http://[fe80::1%25lo]/", 400, "no address"),
            ("http://[::1/", 400, "no address"), ("http://a.b/..%2fc", 400, "escaped slashes"),
            ("http://a.b/c%2f..%5cd", 400, "escaped slashes"), ("local://host/a", 400, "local:///"),
            ("local:/a", 400, "local:///"),
            ("local:///", 404, "no such file"), ("local:///../a", 404, "no such file"),
            ("local:///a/%2e%2e/b", 404, "no such file"), ("local:///a%2f..%2fb", 404, "no such file"),
            ("local:///a%00b", 400, "percent-encoded"), ("local:///100%", 400, "percent-encoded"),
            ("s3://a/b", 400, "bucket"), ("s3:///b", 400, "bucket"), ("s3://bucket", 400, "key"),
            ("s3://bucket/", 400, "key"),
            ("s3://127.0.0.1:80?/b", 400, "bucket"), ("s3://a.b@c.d/e", 400, "bucket"), ("s3://..../e", 400, "bucket"),
            ("s3://bucket/../other/a", 400, ". or .."), ("s3://bucket/%2e%2e/other/a", 400, ". or .."),
            ("s3://bucket/a%2f..%2fb", 400, ". or .."), ("s3:bucket/a", 400, "s3://"),
        ])
    func refusals(source: String, status: Int, reason: String) throws {
        let rules = try Self.rules()
        let error = try #require(throws: AddressError.self) { try rules.url(for: source) }
        #expect(error.status.rawValue == status && error.reason.contains(reason), "\(error)")
    }

    @Test("a source of eight kilobytes is read, and a longer one refused")
    func length() throws {
        let rules = try Self.rules()
        let longest = "http://a.b/" + String(repeating: "c", count: SourceRules.maximumByteCount - 11)
        #expect(try rules.url(for: longest).absoluteString == longest)
        #expect(Self.reading(longest + "c", by: rules) == "400")
    }

    @Test("without a directory and a store there are none")
    func notConfigured() throws {
        let rules = try SourceRules()
        #expect(Self.reading("local:///a", by: rules) == "404")
        #expect(Self.reading("s3://bucket/a", by: rules) == "404")
        #expect(Self.reading("https://a.b/c", by: rules) == "https://a.b/c")
    }

    // MARK: Prefixes

    @Test(
        "a prefix allows what begins so, and a host ends where it ends",
        arguments: [
            ("https://host.com", "https://host.com/a", true), ("https://host.com", "https://host.com", true),
            ("https://host.com", "https://host.com?a", true), ("https://host.com", "HTTPS://HOST.com:443/a", true),
            ("https://HOST.com./", "https://host.com/a", true), ("https://host.com:443/", "https://host.com/a", true),
            ("https://host.com", "https://host.com.evil.com/a", false),
            ("https://host.com", "https://host.com@evil.com/a", false),
            ("https://host.com", "https://evil.com/https://host.com/", false),
            ("https://host.com", "http://host.com/a", false),
            ("https://host.com", "https://host.com:8443/a", false),
            ("https://host.com:8443", "https://host.com:8443/a", true),
            ("https://host.com:8443", "https://host.com/a", false),
            ("https://host.com", "https://sub.host.com/a", false),
            ("https://host.com", "https://evilhost.com/a", false),
            ("https://host.com", "https://evil.com?host.com/", false),
            ("https://host.com", "https://evil.com#host.com/", false), ("https://host.com", "https://host.co/a", false),
            ("https://*.host.com", "https://a.host.com/b", true),
            ("https://*.host.com/", "https://img-1.host.com/b", true),
            ("https://*.host.com", "https://a.b.host.com/c", false),
            ("https://*.host.com", "https://host.com/c", false),
            ("https://*.host.com", "https://evil.com/.host.com/", false),
            ("https://*.host.com", "https://evil.com%2f.host.com/", false),
            ("https://img*.host.com", "https://img12.host.com/", true),
            ("https://img*.host.com", "https://img.host.com/", true),
            ("https://img*.host.com", "https://im.host.com/", false), ("https://*a.com", "https://aba.com/", true),
            ("https://*.com", "https://host.com.evil.com/", false), ("https://*", "https://localhost/", true),
            ("https://*", "https://a.b/", false), ("https://a.b/c", "https://a.b/cd", true),
            ("https://a.b/c/", "https://a.b/c/d", true),
            ("https://a.b/c/", "https://a.b/cd", false), ("https://a.b/c/", "https://a.b/c", false),
            ("https://a.b/c/", "https://a.b/c/../d", false), ("https://a.b/c/", "https://a.b/c/%2e%2e/d", false),
            ("https://a.b/c/", "https://a.b/c/..%2fd", false), ("https://a.b/c/", "https://a.b/C/d", false),
            ("https://a.b/%63/", "https://a.b/c/d", true), ("https://a.b/c/", "https://a.b/%63/d", true),
            ("https://a.b/x y/", "https://a.b/x%20y/z", true), ("https://a.b/c/", "https://a.b/c%2fd", false),
            ("https://a.b/*/public/", "https://a.b/c/public/d", true),
            ("https://a.b/*/public/", "https://a.b/c/d/public/e", false),
            ("https://a.b/?id=", "https://a.b/?id=1", true), ("https://a.b/?id=", "https://a.b/?no=1", false),
            ("https://", "https://a.b/c", true), ("https://", "http://a.b/c", false),
            ("http://127.0.0.1/", "http://0x7f.1/a", true),
            ("http://[::1]:80/", "http://[0::1]/a", true), ("http://[::1]/", "http://[::2]/a", false),
            ("local://", "local:///a", true), ("local:///public/", "local:///public/a", true),
            ("local:///public/", "local:///private/a", false),
            ("local:///public/", "local:///public/%2e%2e/private/a", false),
            ("local://", "http://a.b/", false), ("s3://", "s3://bucket/a", true),
            ("s3://bucket", "s3://bucket/a", true),
            ("s3://bucket", "s3://bucket2/a", false), ("s3://bucket/pub/", "s3://bucket/pub/a", true),
            ("s3://bucket/pub/", "s3://bucket/private/a", false), ("s3://2024", "s3://2024/a", true),
            ("s3://my_bucket/ä/", "s3://my_bucket/%C3%A4/b", true),
        ])
    func prefixes(prefix: String, source: String, isAllowed: Bool) throws {
        let rules = try Self.rules(prefix)
        let reading = Self.reading(source, by: rules)
        #expect((Int(reading) == nil) == isAllowed, "\(reading)")
    }

    @Test("of several prefixes any will do, and what is not allowed is told so")
    func several() throws {
        let rules = try Self.rules("https://a.com/", "http://b.com/c/", "local://")
        for source in ["https://a.com/x", "http://b.com/c/x", "local:///x"] {
            #expect(Int(Self.reading(source, by: rules)) == nil)
        }
        for source in ["http://a.com/x", "http://b.com/x", "s3://bucket/x"] {
            let error = try #require(throws: AddressError.self) { try rules.url(for: source) }
            #expect(error.status == .forbidden && error.reason.contains("does not load from"), "\(error)")
        }
    }

    @Test(
        "what is no prefix is told so when the rules are made",
        arguments: [
            "", "example.com", "ftp://a.b", "https:/a.b", "https://a.b:x/", "https://a.b:0", "https://user@a.b/",
            "https:///a",
            "https://a b/", "https://a.b/\n", "file:///", "https://a\\b/", "s3:///key",
        ])
    func noPrefix(text: String) {
        let error = #expect(throws: AddressError.self) { try SourceRules(prefixes: ["https://a.b/", text]) }
        #expect(error?.reason.contains("is no prefix") == true)
    }

    @Test("a star costs no more than the length of the address")
    func manyStars() throws {
        let rules = try Self.rules("https://a.b/" + String(repeating: "*a", count: 200) + "!")
        #expect(Self.reading("https://a.b/" + String(repeating: "a", count: 8000), by: rules) == "403")
    }

    // MARK: The base

    @Test(
        "a source without a scheme is below the base, and does not leave it",
        arguments: [
            ("https://a.com", "b.jpg", "https://a.com/b.jpg"), ("https://a.com", "/b.jpg", "https://a.com/b.jpg"),
            ("https://a.com/", "b.jpg", "https://a.com/b.jpg"), ("https://a.com/c", "/b.jpg", "https://a.com/c/b.jpg"),
            ("https://a.com/c/", "b/../d.jpg", "https://a.com/c/d.jpg"), ("https://a.com/c/", "../d.jpg", "403"),
            ("https://a.com/c/", "%2e%2e/d.jpg", "403"), ("https://a.com", ".evil.com/b", "https://a.com/.evil.com/b"),
            ("https://a.com", "@evil.com/b", "https://a.com/@evil.com/b"),
            ("https://a.com", ":80@evil.com/b", "https://a.com/:80@evil.com/b"),
            ("https://a.com", "//evil.com/b", "https://a.com//evil.com/b"),
            ("https://a.com/get?u=", "b", "https://a.com/get?u=b"),
            ("https://a.com/", "http://b.com/c", "http://b.com/c"), ("local:///pub/", "a.jpg", "local:///pub/a.jpg"),
            ("local:///pub/", "../a.jpg", "404"), ("s3://bucket", "a/b.jpg", "s3://bucket/a/b.jpg"),
            ("https://a.com", "\\\\evil.com", "400"),
        ])
    func base(base: String, source: String, address: String) throws {
        #expect(Self.reading(source, by: try Self.rules(base: base)) == address)
    }

    @Test("the base has to be allowed as all others")
    func baseIsNoException() throws {
        #expect(Self.reading("b", by: try Self.rules("https://a.com/", base: "https://a.com/")) == "https://a.com/b")
        #expect(Self.reading("b", by: try Self.rules("https://c.com/", base: "https://a.com/")) == "403")
        #expect(throws: AddressError.self) { try SourceRules(baseURL: "a.com/") }
    }
}
