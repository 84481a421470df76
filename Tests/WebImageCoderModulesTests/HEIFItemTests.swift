import FoundationEssentials
import Testing
import WebImageCore
import WebImageIsolation
import WebImageTestSupport

/// libheif 1.15 trusts a file's description of its items: some of these files overflow its stack, or exhaust or leak memory.
@Suite("Items of HEIF files", .needsDecoderProcesses)
struct HEIFItemTests {
    typealias Item = HEIFBuilder.Item
    private static let coder = DecoderProcesses.coder(.heif)
    private static let whole = Item(extents: [HEIFBuilder.picture])

    private func decode(_ builder: HEIFBuilder) throws -> PixelSize {
        try Self.coder.decode(builder.file(), options: ImageDecodeOptions()).pixelSize
    }

    private func expectDamage(_ builder: HEIFBuilder) {
        let error = #expect(throws: WebImageError.self) { try decode(builder) }
        let isDamage = error?.code == .badImageData || error?.code == .truncatedImageData
        #expect(isDamage && error?.kind == .permanent, "\(error as Any)")
    }

    @Test(
        "a picture's bytes may lie in one piece or several, in the file or in its own box",
        arguments: [[0..<69], [0..<20, 20..<69], [0..<0, 0..<69, 69..<69]], [false, true])
    func pieces(extents: [Range<Int>], isInPool: Bool) throws {
        let builder = HEIFBuilder(items: [Item(extents: extents, isInPool: isInPool)])
        #expect(try decode(builder) == PixelSize(width: 24, height: 16))
    }

    @Test(
        "a picture without bytes is damage",
        arguments: [
            Item(extents: []), Item(extents: [0..<0]), Item(extents: [0..<0, 5..<5]),
            Item(extents: [0..<0], isInPool: true), Item(extents: [60..<99], isInPool: true),
            Item(extents: [90_000..<90_069], isInPool: true),
        ])
    func empty(item: Item) {
        expectDamage(HEIFBuilder(items: [item]))
        // Its boxes are valid.
        #expect(throws: Never.self) {
            try Self.coder.properties(of: HEIFBuilder(items: [item]).file(), isComplete: true)
        }
    }

    @Test(
        "an item without a length reaches to the file's end, where libheif takes it for empty",
        arguments: [false, true])
    func noLengths(isInPool: Bool) {
        expectDamage(HEIFBuilder(items: [Item(extents: [0..<69], isInPool: isInPool)], lengthWidth: 0))
    }

    @Test("a picture whose bytes lie beyond the file is cut off")
    func beyond() {
        let error = #expect(throws: WebImageError.self) {
            try decode(HEIFBuilder(items: [Item(extents: [40..<109])]))
        }
        #expect(error?.code == .truncatedImageData)
    }

    @Test("alpha without bytes is damage; damage of hidden pictures is ignored")
    func alpha() throws {
        var alpha = Self.whole
        alpha.isAlpha = true
        var builder = HEIFBuilder(items: [Self.whole, alpha], references: [("auxl", 2, [1])])
        #expect(try decode(builder) == PixelSize(width: 24, height: 16))
        builder.items[1].extents = []
        expectDamage(builder)
        builder.references = [("thmb", 2, [1])]
        #expect(try decode(builder) == PixelSize(width: 24, height: 16))
    }

    @Test(
        "a picture with a part or a part's alpha that has no bytes, or not all, is damage", arguments: [2, 3, 4, 5])
    func grid(index: Int) throws {
        var builder = Self.grid(width: 48, height: 16)
        #expect(try decode(builder) == PixelSize(width: 48, height: 16))
        for bytes in [0..<0, 0..<40] {
            builder.items[index - 1].extents = [bytes]
            expectDamage(builder)
        }
    }

    @Test("parts of which one has alpha make a picture, or damage where libheif wants all of them to be alike")
    func mixedGrid() throws {
        var builder = Self.grid(width: 48, height: 16)
        builder.items.removeLast()
        builder.references = [("dimg", 1, [2, 3]), ("auxl", 4, [3])]
        do throws(WebImageError) {
            #expect(try Self.coder.decode(builder.file(), options: ImageDecodeOptions()).pixelSize.width == 48)
        } catch {
            #expect(error.code == .badImageData, "\(error)")
        }
    }

    @Test("a file may have more than a hundred properties")
    func properties() throws {
        let builder = HEIFBuilder(items: [Item](repeating: Self.whole, count: 60))
        #expect(try decode(builder) == PixelSize(width: 24, height: 16))
    }

    @Test("pictures may share their bytes")
    func overlapping() throws {
        // libheif 1.23.6 takes fewer than sixteen.
        #expect(try decode(Self.overlay(of: 2)) == PixelSize(width: 24, height: 16))
    }

    @Test("a picture that is another one is shown; where that is impossible, its kind is named and it is not damaged")
    func identity() throws {
        var builder = HEIFBuilder(items: [Item(type: "iden", extents: []), Self.whole], references: [("dimg", 1, [2])])
        #expect(try decode(builder) == PixelSize(width: 24, height: 16))
        builder.references = []
        expectUnread(builder.file(), "iden")
        builder.references = [("dimg", 1, [2])]
        builder.items[0].hasSize = false
        expectUnread(builder.file(), "iden")
    }

    @Test("a picture without compression is not read, and not damaged", arguments: ["unci", "hvt1", "j2k1"])
    func otherKinds(type: String) {
        var item = Self.whole
        item.type = type
        expectUnread(HEIFBuilder(items: [item]).file(), type)
    }

    @Test("a sequence without a still picture is not read, and not damaged or cut off", arguments: ["hevc", "msf1"])
    func sequences(brand: String) throws {
        let head = HEIFBuilder.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("msf1hevciso8".utf8))
        let movie = HEIFBuilder.box("moov", HEIFBuilder.box("mvhd", [UInt8](repeating: 0, count: 100)))
        let file = Data(head + movie + HEIFBuilder.box("mdat", [1, 2, 3]))
        expectUnread(file, "sequence")
        // The still picture may follow.
        #expect(try Self.coder.properties(of: file, isComplete: false) == nil)
        expectUnread(Data(head + HEIFBuilder.box("mini", [1, 2, 3])), "mini")
        let cut = #expect(throws: WebImageError.self) { try Self.coder.properties(of: Data(head), isComplete: true) }
        #expect(cut?.code == .truncatedImageData)
    }

    @Test("what libheif says of a file is one sentence, without its line break")
    func sentence() throws {
        var file = HEIFBuilder(items: [Self.whole]).file()
        let length = Int(file[3])
        let brands = String(decoding: file.prefix(length), as: UTF8.self).replacing(/hei.|mif1/, with: "heis")
        file.replaceSubrange(..<length, with: Data(brands.utf8))
        let error = #expect(throws: WebImageError.self) {
            try Self.coder.decode(file, options: ImageDecodeOptions())
        }
        // Newer versions read such files.
        let isOfBrands = error?.reason.hasSuffix("not read: File does not include any supported brands.") == true
        #expect(isOfBrands || error?.code != .badImageData, "\(error as Any)")
    }

    private func expectUnread(_ file: Data, _ kind: String) {
        let error = #expect(throws: WebImageError.self) {
            try Self.coder.decode(file, options: ImageDecodeOptions())
        }
        let isExpected =
            error?.reason.contains("of a kind that is not read") == true && error?.reason.contains(kind) == true
        #expect(error?.code == .badImageData && isExpected, "\(error as Any)")
    }

    /// Pictures of the same bytes over each other.
    private static func overlay(of count: Int) -> HEIFBuilder {
        let (overlay, canvas) = HEIFBuilder.overlay(of: count, width: 24, height: 16)
        var builder = HEIFBuilder(
            items: [overlay] + [Item](repeating: whole, count: count),
            references: [("dimg", 1, (0..<count).map { UInt8(2 + $0) })], canvas: canvas)
        builder.items[0].size = [24, 16]
        return builder
    }

    /// Two pictures side by side, both with alpha.
    private static func grid(width: Int, height: Int) -> HEIFBuilder {
        var (grid, canvas) = HEIFBuilder.grid(columns: 2, rows: 1, width: width, height: height)
        grid.size = [48, 16]
        var alpha = whole
        alpha.isAlpha = true
        return HEIFBuilder(
            items: [grid, whole, whole, alpha, alpha],
            references: [("dimg", 1, [2, 3]), ("auxl", 4, [2]), ("auxl", 5, [3])], canvas: canvas)
    }
}
