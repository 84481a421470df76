import FoundationEssentials
import Testing
import WebImageCore

@testable import WebImageLoading

@Suite("Cache keys")
struct CacheKeyTests {
    private let box = PixelSize(width: 300, height: 200)

    @Test(
        "CUS-3 A22 a thumbnail's key keeps the extension, the query and the credentials",
        arguments: [
            ("photo.jpg", "photo-Thumbnail({300.000000,200.000000},1).jpg"),
            ("photo", "photo-Thumbnail({300.000000,200.000000},1)"),
            (
                "http://host/a/photo.jpg?size=1&b=c.d#top",
                "http://host/a/photo-Thumbnail(%7B300.000000,200.000000%7D,1).jpg?size=1&b=c.d#top"
            ),
            (
                "http://me:*0123456789abcdef@host/photo.png",
                "http://me:*0123456789abcdef@host/photo-Thumbnail(%7B300.000000,200.000000%7D,1).png"
            ),
            ("http://me@host/photo.png", "http://me@host/photo-Thumbnail(%7B300.000000,200.000000%7D,1).png"),
            ("http://example.org", "http://example.org-Thumbnail(%7B300.000000,200.000000%7D,1)"),
            ("http://host/.hidden", "http://host/.hidden-Thumbnail(%7B300.000000,200.000000%7D,1)"),
            ("http://host/v1.2/photo", "http://host/v1.2/photo-Thumbnail(%7B300.000000,200.000000%7D,1)"),
        ])
    func thumbnail(key: String, expected: String) {
        #expect(CacheKey(key).thumbnail(box, preservesAspectRatio: true).string == expected)
    }

    @Test("CUS-3 a stretched thumbnail has a key of its own")
    func stretched() {
        let key = CacheKey("a.jpg")
        #expect(key.thumbnail(box, preservesAspectRatio: false).string == "a-Thumbnail({300.000000,200.000000},0).jpg")
    }

    @Test(
        "a key of what was made from a picture knows the picture's key",
        arguments: [
            "photo.jpg", "photo", "http://host/a/photo.jpg?size=1&b=c.d#top",
            "http://me:*0123456789abcdef@host/photo.png",
            "http://example.org", "http://host/.hidden", "http://host/v1.2/photo", "", "aa-.jpg",
        ])
    func original(name: String) {
        let key = CacheKey(name)
        let thumbnail = key.thumbnail(box, preservesAspectRatio: true)
        #expect(key.original == key)
        let derived = [
            thumbnail, key.transformed("T"), thumbnail.transformed("T(1.5)"),
        ]
        for derived in derived {
            #expect(derived.original == key && derived.isDerived)
            let derivation = KeyDerivation(of: derived.string, from: key.string)
            #expect(CacheKey(derived.string, derivation: derivation).original == key)
            #expect(derived.variant("page 3").variant("first frame").original == key)
        }
        #expect(key.variant("scale 2").original == key && !key.variant("scale 2").isDerived)
        #expect(KeyDerivation(of: "bc", from: "a") == nil && KeyDerivation(of: "a", from: "a") == nil)
    }

    @Test(
        "a key does not tell the password of its URL, and users, passwords and hosts have keys of their own",
        arguments: ["hush", "hu%2Fsh", "hu:sh", "hu@sh", "*0123456789abcdeF", "h"])
    func password(password: String) throws {
        let names = [
            "http://me:\(password)@host/a.jpg", "http://me:\(password)1@host/a.jpg",
            "http://you:\(password)@host/a.jpg",
            "http://:\(password)@host/a.jpg", "http://me:\(password)@host:81/a.jpg", "http://me@host/a.jpg",
            "http://host/a.jpg",
        ]
        let keys = names.map { CacheKey($0) }
        #expect(Set(keys).count == names.count)
        for key in keys {
            #expect(!key.string.contains(":\(password)") && !key.description.contains(":\(password)"))
            #expect(CacheKey(key.string) == key, "a key that was printed is the same key")
        }
        #expect(keys[0] == CacheKey(names[0]))
        #expect(keys[0].string.hasPrefix("http://me:*") && keys[0].string.hasSuffix("@host/a.jpg"))
        let url = try #require(URL(string: names[0]))
        #expect(CacheKey(filtering: url, by: nil) == CacheKey(url.absoluteString))
        #expect(
            keys[0].thumbnail(box, preservesAspectRatio: true) != keys[1].thumbnail(box, preservesAspectRatio: true))
    }

    @Test(
        "names without a password stay as they are",
        arguments: [
            "avatar:17@home", "photo@2x.jpg", "http://host:80/a@2x.jpg", "http://me:@host/a", "data:a://b:c",
            "http://host/a?token=hush&by=me:you@there", "http://[::1]:80/a:b@c", "", "@", "://:@",
        ])
    func withoutPassword(name: String) { #expect(CacheKey(name).string == name) }

    @Test("keys of the same text are equal, and differ from all others")
    func equality() {
        #expect(("a" as CacheKey) == CacheKey("a"))
        #expect(CacheKey("a") == CacheKey("a"))
        #expect(CacheKey("a").hashValue == CacheKey("a").hashValue)
        #expect(CacheKey("a").fingerprint == CacheKey("a").fingerprint)
        #expect(CacheKey("a") != CacheKey("b"))
        #expect(CacheKey("a").variant("b") != CacheKey("a"))
    }
}
