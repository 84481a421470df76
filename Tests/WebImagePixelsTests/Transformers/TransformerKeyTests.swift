import Glibc
import Testing
import WebImageCore
import WebImagePixels
import WebImageTesting

@Suite("Transformer keys")
struct TransformerKeyTests {
    private let flip = "SDImageFlippingTransformer(1,0)"

    @Test(
        "CUS-3 A22 the key of a transformed picture keeps the extension, the query and the credentials",
        arguments: [
            ("image.png", "image-T.png"), ("image", "image-T"), (".image", ".image-T"), ("image.", "image.-T"),
            ("Test/image.png", "Test/image-T.png"), ("a.b/image", "a.b/image-T"), ("", "-T"),
            ("http://foo/image.png", "http://foo/image-T.png"), ("http://foo/image", "http://foo/image-T"),
            ("http://foo/.image", "http://foo/.image-T"), ("http://foo.com", "http://foo.com-T"),
            ("http://foo/image.png?foo=bar#mark", "http://foo/image-T.png?foo=bar#mark"),
            ("http://foo/image?a=b.c", "http://foo/image?a=b.c-T"), ("image.tar.gz", "image.tar-T.gz"),
            ("ftp://root@foo.com/image.png", "ftp://root@foo.com/image-T.png"),
            ("ftp://root:*0123456789abcdef@foo.com/a.png", "ftp://root:*0123456789abcdef@foo.com/a-T.png"),
            ("file:///a/image.png", "file:///a/image-T.png"), ("bild/größe.jpg", "bild/größe-T.jpg"),
        ])
    func inserted(key: String, expected: String) {
        let expected = expected.replacing("-T", with: "-" + flip)
        #expect(CacheKey(key).transformed(flip).string == expected)
    }

    @Test("CUS-3 the thumbnail's suffix stands first and the transformer's second, with and without an extension")
    func order() {
        let box = PixelSize(width: 30, height: 20)
        let plain = CacheKey("a/photo.jpg").thumbnail(box, preservesAspectRatio: true)
        #expect(plain.transformed("T").string == "a/photo-Thumbnail({30.000000,20.000000},1)-T.jpg")
        let bare = CacheKey("http://host/photo").thumbnail(box, preservesAspectRatio: true)
        #expect(bare.transformed("T").string == "http://host/photo-Thumbnail(%7B30.000000,20.000000%7D,1)-T")
    }

    @Test("CUS-3 characters that a URL may not contain are percent-encoded in the keys of URLs, and only there")
    func percentEncoding() {
        let key = "My({1,2},#ff,50%,a/b?c d) ä~"
        #expect(
            CacheKey("http://foo/a.png").transformed(key).string
                == "http://foo/a-My(%7B1,2%7D,%23ff,50%25,a%2Fb%3Fc%20d)%20%C3%A4~.png")
        #expect(CacheKey("a.png").transformed(key).string == "a-\(key).png")
        let kept = "!$&'()*+,-.:;=@_~09azAZ"
        #expect(CacheKey("http://foo/a.png").transformed(kept).string == "http://foo/a-\(kept).png")
    }

    @Test("an empty transformer key leaves the key alone")
    func emptyKey() {
        #expect(CacheKey("a.png").transformed(ImagePipelineTransformer([]).transformerKey) == CacheKey("a.png"))
        #expect(BuiltInTransformer.disabled.transformerKey.isEmpty)
    }

    @Test("TRF-1 TRF-2 TRF-4 keys are SDWebImage's, with every parameter")
    func keys() {
        #expect(
            ImageResizingTransformer(size: PointSize(width: 100, height: 100), scaleMode: .aspectFill).transformerKey
                == "SDImageResizingTransformer({100.000000,100.000000},2)")
        #expect(
            ImageRoundCornerTransformer(radius: 50, borderWidth: 1, borderColor: .black).transformerKey
                == "SDImageRoundCornerTransformer(50.000000,18446744073709551615,1.000000,#ff000000)")
        #expect(
            ImageRoundCornerTransformer(radius: 0.5, corners: [.topLeft, .bottomRight]).transformerKey
                == "SDImageRoundCornerTransformer(0.500000,9,0.000000,(null))")
        #expect(ImageFlippingTransformer(horizontal: true, vertical: false).transformerKey == flip)
        #expect(
            ImageFlippingTransformer(horizontal: false, vertical: true).transformerKey
                == "SDImageFlippingTransformer(0,1)")
    }

    @Test("TRF-9 a pipeline's key is those of its steps, joined by a hyphen")
    func pipeline() {
        let steps: [any ImageTransformer] = [
            ImageResizingTransformer(size: PointSize(width: 100, height: 100), scaleMode: .aspectFill),
            ImageRoundCornerTransformer(radius: 50, borderWidth: 1, borderColor: .black),
            ImageFlippingTransformer(horizontal: true, vertical: true),
        ]
        #expect(
            ImagePipelineTransformer(steps).transformerKey
                == "SDImageResizingTransformer({100.000000,100.000000},2)"
                + "-SDImageRoundCornerTransformer(50.000000,18446744073709551615,1.000000,#ff000000)"
                + "-SDImageFlippingTransformer(1,1)")
        #expect(ImagePipelineTransformer([]).transformerKey.isEmpty)
    }

    @Test("B24 transformers that differ in any parameter have different keys")
    func differentKeys() {
        let sizes = [(1.0, 2.0), (2, 1), (1, 2.000001)].map { PointSize(width: $0.0, height: $0.1) }
        var keys = sizes.flatMap { size in
            ImageScaleMode.allCases.map { ImageResizingTransformer(size: size, scaleMode: $0).transformerKey }
        }
        for corners in [RectCorner.allCorners, .topLeft, []] {
            for color in [nil, RGBAColor.black, .clear, .white] {
                for lengths in [(1.0, 2.0), (2, 1)] {
                    keys.append(
                        ImageRoundCornerTransformer(
                            radius: lengths.0, corners: corners, borderWidth: lengths.1, borderColor: color
                        ).transformerKey)
                }
            }
        }
        for (horizontal, vertical) in [(false, false), (false, true), (true, false), (true, true)] {
            keys.append(ImageFlippingTransformer(horizontal: horizontal, vertical: vertical).transformerKey)
        }
        #expect(Set(keys).count == keys.count)
    }

    @Test("C15 numbers in keys are those of C's %f with a decimal point")
    func numbers() {
        var random = SeededGenerator(seed: 41)
        var values = [0, 1, 0.5, 2.5e-7, 5e-7, 1.5e-6, 0.9999995, 0.9999994, 999_999.9999995, 1e15, 0.1 + 0.2, 0x1p62]
        values += [-0.0, -1.25, -1e-9, .leastNonzeroMagnitude, 1.0.nextDown, 0.0000005.nextUp, 0.0000005.nextDown]
        for _ in 0..<20_000 {
            values.append(Double.random(in: -1000...1000, using: &random))
            values.append(Double(Int.random(in: 0...2_000_000, using: &random)) / 2e6 + 1 / 4e6)
        }
        for value in values { #expect(value.fixedPointText == Self.printed(value)) }
    }

    /// The output of C's printf, with a decimal point in all languages.
    private static func printed(_ value: Double) -> String {
        var buffer = [CChar](repeating: 0, count: 400)
        let count = withVaList([value]) { vsnprintf(&buffer, buffer.count, "%f", $0) }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .replacing(",", with: ".")
    }

    @Test("C15 NaN, infinity and numbers too large for a key still have a text")
    func oddNumbers() {
        #expect(Double.nan.fixedPointText == "nan")
        #expect(Double.infinity.fixedPointText == "inf")
        #expect((-Double.infinity).fixedPointText == "-inf")
        #expect(1e300.fixedPointText == "1e+300")
        #expect(ImageRoundCornerTransformer(radius: .nan, borderWidth: -.infinity).transformerKey.contains("nan"))
    }
}
