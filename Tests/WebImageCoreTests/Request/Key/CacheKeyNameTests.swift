import Testing
import WebImageCore

@Suite("The file name in a cache key")
struct CacheKeyNameTests {
    @Test(
        "MET-10 CTX-10 the file's name states the scale",
        arguments: [
            ("https://a.example/photo@2x.jpg", 2), ("https://a.example/photo@3x.png", 3), ("photo@2x.jpg", 2),
            ("https://a.example/photo%402x.jpg", 2), ("https://a.example/photo%403x.jpg", 3),
            ("file:///home/me/photo@3x.webp", 3), ("https://a.example/photo@2x.jpg?width=3#top", 2),
            ("https://a.example/photo.jpg", 1), ("https://a.example/photo@2x", 1),
            ("https://a.example/photo@4x.jpg", 1),
            ("https://a.example/photo@2X.jpg", 1), ("https://a.example/photo2x.jpg", 1),
        ])
    func scale(key: String, scale: Double) {
        #expect(CacheKey(key).scaleFactor == scale)
    }

    @Test(
        "A99 neither a query, a fragment, a folder, a user nor a host states the scale",
        arguments: [
            "https://a.example/photo.jpg?ref=a@2x.png", "https://a.example/photo.jpg?ref=/a@2x.png",
            "https://a.example/photo.jpg#a@3x.png", "https://a.example/set@2x.d/photo.jpg", "https://me@2x.example",
            "https://me@3x.example/", "https://me@2x.example?photo@2x.jpg", "data:text/plain,photo@2x.jpg",
        ])
    func elsewhere(key: String) {
        #expect(CacheKey(key).scaleFactor == 1)
    }

    @Test(
        "A78 names of one letter, of none and of markers only do no harm",
        arguments: ["", "a", "2x", "@", "/", ".", "@2x"])
    func short(key: String) {
        #expect(CacheKey(key).scaleFactor == 1)
        #expect(CacheKey("https://a.example/\(key)").scaleFactor == 1)
        #expect(CacheKey(key).fileExtension == nil)
    }

    @Test(
        "T4.34 T4.35 T4.36 the extension is that of the file's name",
        arguments: [
            ("https://a.example/photo.jpg", "jpg"), ("https://a.example/photo.JPG?x=a.png#b.gif", "JPG"),
            ("photo.tar.gz", "gz"), ("https://a.example/a.b/photo", nil), ("https://a.example", nil),
            ("https://a.example/", nil), ("https://a.example/.jpg", nil), ("https://a.example/photo.", nil),
            ("data:image/png;base64,a.png", nil), ("file:///tmp/a.webp", "webp"),
        ] as [(String, String?)])
    func fileExtension(key: String, expected: String?) {
        #expect(CacheKey(key).fileExtension == expected)
    }

    @Test("CTX-13 the extension of the key is the hint, unless there is another one")
    func hint() {
        let key = CacheKey("https://a.example/photo.jpeg?format=png")
        #expect(ImageFormatHint.automatic.resolved(by: key) == .format(.jpeg))
        #expect(
            ImageFormatHint.automatic.resolved(by: CacheKey("https://a.example/photo.xyz")) == ImageFormatHint.noHint)
        #expect(ImageFormatHint.automatic.resolved(by: CacheKey("https://a.example/photo")) == ImageFormatHint.noHint)
        #expect(ImageFormatHint.noHint.resolved(by: key) == ImageFormatHint.noHint)
        #expect(ImageFormatHint.format(.gif).resolved(by: key) == .format(.gif))
    }

    @Test(
        "DOP-5 FMT-3 extensions lead to formats in any case",
        arguments: [("JPG", 0), ("jpeg", 0), ("apng", 1), ("Tif", 3), ("avif", 100)])
    func formats(name: String, number: Int) {
        #expect(ImageFormat(fileExtension: name)?.rawValue == number)
        #expect(ImageFormat(fileExtension: name + "x") == nil)
        #expect(ImageFormat(fileExtension: "") == nil)
    }
}
