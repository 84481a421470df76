import Foundation
import Testing
import WebImageCore
import WebImagePixels

@testable import WebImageTestDoubles

@Suite("Placeholders of hashes and colours")
struct ImagePlaceholderTests {
    private let base64 = "HukJRZRwd3iZd3iHh4eHh3dvKAd4"

    /// As a parameter of a view is declared.
    private func size(of placeholder: Image? = nil) -> PixelSize? { placeholder?.pixelSize }

    @Test("each is written with a dot where a view takes a picture, and so are a picture and nil")
    func spelling() throws {
        let bytes = try ThumbHash(base64: base64).bytes
        #expect(size(of: .thumbHash(bytes)) == PixelSize(width: 32, height: 23))
        #expect(size(of: .thumbHash(base64: base64)) == PixelSize(width: 32, height: 23))
        #expect(size(of: .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")) == PixelSize(width: 32, height: 32))
        #expect(size(of: .color(.white)) == PixelSize(width: 1, height: 1))
        #expect(size(of: .cachedHash) == PixelSize(width: 1, height: 1))
        let image: Image = try .plain(3, 2)
        #expect(size(of: image) == PixelSize(width: 3, height: 2))
        #expect(size(of: nil) == nil && size() == nil)
    }

    @Test("a hash that is none is no placeholder")
    func refused() {
        #expect(Image.thumbHash(Data([1, 2, 3])) == nil && Image.thumbHash(base64: "no") == nil)
        #expect(Image.blurHash("no") == nil)
        for ratio in [0, -1, Double.nan, Double.infinity] {
            #expect(Image.blurHash("00GJ1d", aspectRatio: ratio) == nil)
        }
    }

    @Test("the blur has the proportions of the picture where they are known, and fills the view otherwise")
    func proportions() throws {
        let wide = try #require(Image.blurHash("00GJ1d", aspectRatio: 2))
        #expect(wide.pixelSize == PixelSize(width: 32, height: 16) && wide.appearance == .blur)
        #expect(Image.blurHash("00GJ1d", aspectRatio: 1e9)?.pixelSize == PixelSize(width: 32, height: 1))
        #expect(Image.blurHash("00GJ1d", aspectRatio: 1e-9)?.pixelSize == PixelSize(width: 1, height: 32))
        #expect(Image.blurHash("00GJ1d")?.appearance == .backdrop)
        #expect(Image.thumbHash(base64: base64)?.appearance == .blur)
    }

    @Test("a colour is premultiplied, as views draw it")
    func color() throws {
        let image = try #require(Image.color(RGBAColor(red: 200, green: 100, blue: 0, alpha: 51)))
        #expect(image.bitmap.format == .rgba8Premultiplied)
        #expect(image.bitmap.head(4) == [40, 20, 0, 51] && image.appearance == .backdrop)
    }

    @Test("the hash in the cache is drawn as nothing until it is found")
    func cachedHash() {
        #expect(Image.cachedHash != nil && Image.cachedHash?.drawn == nil)
        #expect(Image.cachedHash === Image.cachedHash)
    }
}
