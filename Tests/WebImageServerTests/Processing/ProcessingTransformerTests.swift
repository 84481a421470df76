import FoundationEssentials
import Testing
import WebImage
import WebImageCore
import WebImageTestSupport

@testable import WebImageServer

/// The effect of an address's options on pixels.
@Suite("Processing of pictures")
struct ProcessingTransformerTests {
    private static let red = RGBAColor(red: 255, green: 0, blue: 0)
    private static let green = RGBAColor(red: 0, green: 255, blue: 0)
    private static let blue = RGBAColor(red: 0, green: 0, blue: 255)

    /// - Parameter color: Of the pixel at a place.
    private static func image(
        _ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> RGBAColor
    ) throws -> Image {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let color = color(x, y)
                let channels = [color.red, color.green, color.blue].map { UInt8(Int($0) * Int(color.alpha) / 255) }
                pixels += channels + [color.alpha]
            }
        }
        return Image(bitmap: try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels))
    }

    /// Four squares of 10 by 10: red and green above, blue and white below.
    private static func quarters() throws -> Image {
        try image(20, 20) { x, y in [[red, green], [blue, .white]][y / 10][x / 10] }
    }

    private static func process(_ text: String, _ image: Image, watermark: Image? = nil) throws -> Image {
        let options = try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options
        let transformer = ProcessingTransformer(options, watermark: watermark)
        return try #require(transformer.transform(image, for: CacheKey("a")))
    }

    private static func color(_ image: Image, _ x: Int, _ y: Int) -> RGBAColor? { image.color(x: x, y: y) }

    @Test("turns are to the right, and come before all else")
    func turns() throws {
        let turned = try Self.process("rot:90/c:10:10:nowe", Self.quarters())
        #expect(turned.pixelSize == PixelSize(width: 10, height: 10))
        #expect(Self.color(turned, 5, 5) == Self.blue)
        let back = try Self.process("rot:-90/c:10:10:nowe", Self.quarters())
        #expect(Self.color(back, 5, 5) == Self.green)
        let half = try Self.process("rot:180/c:10:10:nowe", Self.quarters())
        #expect(Self.color(half, 5, 5) == .white)
    }

    @Test("a flip is across and down, after the turns, also of a picture that was decoded to its size")
    func flips() throws {
        func corner(_ options: String) throws -> RGBAColor? {
            Self.color(try Self.process(options + "/c:10:10:nowe", Self.quarters()), 5, 5)
        }
        #expect(try corner("fl:1:0") == Self.green)
        #expect(try corner("flip:0:1") == Self.blue)
        #expect(try corner("fl:1:1") == .white)
        #expect(try corner("fl:1/rot:90") == Self.red)
        let options = try ServiceAddress("/_/w:10/fl:1/plain/a", grammar: OptionGrammar()).options
        let transformer = ProcessingTransformer(options, watermark: nil)
        #expect(transformer.decodeSize(of: PixelSize(width: 20, height: 20)) == PixelSize(width: 10, height: 10))
        let file = try Self.quarters().data(as: .png)
        var decoding = ImageDecodeOptions()
        decoding.thumbnailPixelSize = PixelSize(width: 10, height: 10)
        let reduced = try ImageCodersManager.shared.decode(file, options: decoding)
        let flipped = try #require(transformer.finish(reduced, nil))
        #expect(
            flipped.color(x: 2, y: 2) == reduced.color(x: 7, y: 2)
                && flipped.color(x: 2, y: 2) != reduced.color(x: 2, y: 2))
    }

    @Test("a crop is by its own gravity or by that of the address, and what fills a size is cut by the address's")
    func crops() throws {
        #expect(Self.color(try Self.process("c:10:10:soea", Self.quarters()), 5, 5) == .white)
        #expect(Self.color(try Self.process("c:10:10/g:noea", Self.quarters()), 5, 5) == Self.green)
        let filled = try Self.process("rs:fill:20:10/g:so", Self.quarters())
        #expect(filled.pixelSize == PixelSize(width: 20, height: 10))
        #expect(Self.color(filled, 2, 5) == Self.blue && Self.color(filled, 17, 5) == .white)
    }

    @Test("the smart gravity keeps what has edges and colours, and the middle of an even picture")
    func smart() throws {
        let picture = try Self.image(300, 100) { x, y in
            guard 220..<280 ~= x, 20..<80 ~= y else { return RGBAColor(red: 90, green: 90, blue: 90) }
            return (x / 6 + y / 6).isMultiple(of: 2) ? Self.red : RGBAColor(red: 30, green: 30, blue: 200)
        }
        let part = InterestingPart(of: picture, size: PixelSize(width: 100, height: 100))
        #expect(part.corner.x >= 178 && part.corner.y == 0, "\(part.corner)")
        let mirrored = try #require(picture.flipped(horizontal: true, vertical: false))
        #expect(InterestingPart(of: mirrored, size: PixelSize(width: 100, height: 100)).corner.x <= 22)
        let even = try Self.image(300, 100) { _, _ in Self.green }
        #expect(InterestingPart(of: even, size: PixelSize(width: 100, height: 100)).corner == (100, 0))
        let cut = try Self.process("rs:fill:50:50/g:sm", picture)
        #expect(cut.pixelSize == PixelSize(width: 50, height: 50))
    }

    @Test("a margin is trimmed by the corner's colour or by a given one, and by equal parts where that is asked for")
    func trims() throws {
        let picture = try Self.image(30, 20) { x, y in 5..<15 ~= x && 2..<12 ~= y ? Self.red : .white }
        #expect(try Self.process("t:1", picture).pixelSize == PixelSize(width: 10, height: 10))
        #expect(try Self.process("t:1:ffffff", picture).pixelSize == PixelSize(width: 10, height: 10))
        #expect(try Self.process("t:1:00ff00", picture).pixelSize == PixelSize(width: 30, height: 20))
        #expect(try Self.process("t:1::1:0", picture).pixelSize == PixelSize(width: 20, height: 10))
        #expect(try Self.process("t:1::1:1", picture).pixelSize == PixelSize(width: 20, height: 16))
        let even = try Self.image(8, 8) { _, _ in Self.red }
        #expect(try Self.process("t:1", even).pixelSize == PixelSize(width: 8, height: 8))
        let clear = try Self.image(20, 20) { x, y in 5..<15 ~= x && 5..<15 ~= y ? Self.red : .clear }
        #expect(try Self.process("t:1:FF00FF", clear).pixelSize == PixelSize(width: 10, height: 10))
    }

    @Test("what is extended and padded is filled with the background, and so is transparency")
    func background() throws {
        let half = try Self.image(10, 10) { x, _ in x < 5 ? .clear : Self.red }
        let extended = try Self.process("rs:fit:20:10:0:1:we/bg:00ff00", half)
        #expect(extended.pixelSize == PixelSize(width: 20, height: 10))
        #expect(Self.color(extended, 2, 5) == Self.green && Self.color(extended, 7, 5) == Self.red)
        #expect(Self.color(extended, 15, 5) == Self.green)
        let padded = try Self.process("pd:1:2:3:4", half)
        #expect(padded.pixelSize == PixelSize(width: 16, height: 14))
        #expect(Self.color(padded, 0, 0)?.alpha == 0 && Self.color(padded, 4 + 7, 1 + 5) == Self.red)
    }

    @Test("blur, sharpening and squares change pixels and no size")
    func filters() throws {
        let picture = try Self.image(31, 20) { x, y in
            (x / 3 + y / 3).isMultiple(of: 2)
                ? RGBAColor(red: 200, green: 180, blue: 160) : RGBAColor(red: 60, green: 80, blue: 90)
        }
        for text in ["bl:2", "sh:1", "pix:7"] {
            let result = try Self.process(text, picture)
            #expect(result.pixelSize == picture.pixelSize && result.bitmap.bytes != picture.bitmap.bytes, "\(text)")
        }
        let squares = try Self.process("pix:7", picture)
        let first = try #require(squares.colors(columns: 0..<7, rows: 0..<7))
        #expect(Set(first).count == 1)
    }

    @Test("a watermark lies where it is asked for, in the size that it is asked for")
    func watermark() throws {
        let mark = try Self.image(4, 4) { _, _ in Self.blue }
        let picture = try Self.image(40, 20) { _, _ in .white }
        let corner = try Self.process("wm:1:soea:2:3", picture, watermark: mark)
        #expect(Self.color(corner, 34, 13) == Self.blue && Self.color(corner, 37, 16) == Self.blue)
        #expect(Self.color(corner, 38, 16) == .white && Self.color(corner, 33, 13) == .white)
        let sized = try Self.process("wm:1:nowe:0:0:0.5", picture, watermark: mark)
        #expect(Self.color(sized, 9, 9) == Self.blue && Self.color(sized, 10, 9) == .white)
        let half = try Self.process("wm:0.5:ce", picture, watermark: mark)
        #expect(Self.color(half, 20, 10)?.red ?? 0 > 100)
        let tiled = try Self.process("wm:1:re:4:1", picture, watermark: mark)
        for x in [0, 8, 16, 32] {
            #expect(Self.color(tiled, x, 15) == Self.blue && Self.color(tiled, x + 5, 15) == .white)
        }
        #expect(Self.color(tiled, 0, 4) == .white)
        #expect(try Self.process("wm:1:re:-100:-100", picture, watermark: mark).pixelSize == picture.pixelSize)
    }

    @Test("a text of the client stands for no other part of a key")
    func busters() throws {
        func key(_ text: String) throws -> String {
            let options = try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options
            let source = try #require(URL(string: "http://a.b/c"))
            return ResultRecipe(
                source: source, sourceKey: CacheKey("a"), options: options, wish: FormatWish(),
                quality: OutputQuality(),
                watermark: "w"
            ).key.string
        }
        #expect(try key("cb:x;raw") != key("raw:1/cb:x"))
        #expect(try key("cb:x;stored") != key("cb:x/ar:0"))
        #expect(try key("cb:x") != key("cb:y"))
    }

    @Test("numbers that stand side by side in a key are told apart")
    func separateNumbers() throws {
        func key(_ text: String) throws -> String {
            try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options.pixelKey
        }
        #expect(try key("wm:1:ce:0:1.21:0.5") != key("wm:1:ce:0:1.2:1.05"))
    }

    @Test("options that give other pixels have other keys, and all others the same")
    func keys() throws {
        func key(_ text: String) throws -> String {
            try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options.pixelKey
        }
        let texts = [
            "cb:1", "w:10", "h:10", "rs:fill:10:20", "rs:fit:10:20", "mw:10", "mh:10", "z:2", "z:2:3", "dpr:2", "el:1",
            "ex:1", "ex:1:no", "exar:1", "g:no", "g:no:1", "g:no:0:1", "g:no:0.5", "g:fp:0.1:0.2", "g:sm", "c:10",
            "c:0.1",
            "c:10:0:no", "t:1", "t:1:fff", "t:1::1", "t:1::0:1", "pd:1", "pd:1:2", "rot:90", "rot:180", "bg:fff",
            "bl:1",
            "sh:1", "pix:2", "wm:1", "wm:0.5", "wm:1:re", "wm:1:no", "wm:1:no:1", "wm:1:ce:0:0:0.5",
        ]
        #expect(try Set(texts.map(key)).count == texts.count)
        #expect(try key("q:10/f:png/sm:1/fn:a/att:1/exp:1") == key("cb:2"))
    }
}
