import Testing

@testable import WebImage

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
                "http://me:secret@host/photo.png",
                "http://me:secret@host/photo-Thumbnail(%7B300.000000,200.000000%7D,1).png"
            ),
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

    @Test("keys of the same text are equal, and differ from all others")
    func equality() {
        #expect(CacheKey("a") == CacheKey("a"))
        #expect(CacheKey("a").hashValue == CacheKey("a").hashValue)
        #expect(CacheKey("a").fingerprint == CacheKey("a").fingerprint)
        #expect(CacheKey("a") != CacheKey("b"))
        #expect(CacheKey("a").variant("b") != CacheKey("a"))
    }
}
