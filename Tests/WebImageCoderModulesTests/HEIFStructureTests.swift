import FoundationEssentials
import Testing
import WebImage
import WebImageHEIF
import WebImageTestSupport

/// libheif 1.15 follows circular references until the stack overflows, and allocates memory for the size in an item's
/// bitstream.
@Suite("HEIF pictures made of others")
struct HEIFStructureTests {
    typealias Item = HEIFBuilder.Item
    private static let picture = Item(extents: [HEIFBuilder.picture])
    private static let same = Item(type: "iden", extents: [])
    private static let alpha = Item(extents: [HEIFBuilder.picture], isAlpha: true)
    private static let sameAsAlpha = Item(type: "iden", extents: [], isAlpha: true)

    private func expectDamage(_ builder: HEIFBuilder) {
        let file = builder.file()
        for read in [
            { _ = try HEIFCoder().properties(of: file, isComplete: true) },
            { _ = try HEIFCoder().decode(file, options: ImageDecodeOptions()) },
        ] {
            let error = #expect(throws: WebImageError.self, performing: read)
            #expect(error?.code == .badImageData && error?.reason.contains("made of itself") == true, "\(error as Any)")
        }
    }

    @Test(
        "a picture derived from itself is damage",
        arguments: [
            ([same], [("dimg", 1, [1])]), ([same, same], [("dimg", 1, [2]), ("dimg", 2, [1])]),
            ([picture, alpha], [("auxl", 2, [1]), ("auxl", 1, [2])]),
            ([same, picture, sameAsAlpha], [("dimg", 1, [2]), ("auxl", 3, [2]), ("dimg", 3, [2])]),
            ([picture, same], [("dimg", 2, [2])]),
        ] as [([Item], [(String, UInt8, [UInt8])])])
    func cycles(items: [Item], references: [(String, UInt8, [UInt8])]) {
        expectDamage(HEIFBuilder(items: items, references: references))
    }

    @Test("a grid or an overlay of itself, or of a picture derived from it, is damage", arguments: [1, 2])
    func canvasCycles(count: UInt8) {
        for (item, canvas) in [
            HEIFBuilder.grid(columns: 1, rows: 1, width: 24, height: 16),
            HEIFBuilder.overlay(of: 1, width: 24, height: 16),
        ] {
            let items = [Item](repeating: item, count: Int(count))
            let references = (1...count).map { ("dimg", $0, [$0 % count + 1]) }
            expectDamage(HEIFBuilder(items: items, references: references, canvas: canvas))
        }
    }

    @Test("pictures may be derived in several steps, but not without end")
    func depth() throws {
        // libheif 1.18 and newer refuse, as the standard does, the same picture of the same picture.
        let (overlay, canvas) = HEIFBuilder.overlay(of: 1, width: 24, height: 16)
        let two = HEIFBuilder(
            items: [Self.same, overlay, Self.picture], references: [("dimg", 1, [2]), ("dimg", 2, [3])], canvas: canvas)
        let image = try HEIFCoder().decode(two.file(), options: ImageDecodeOptions())
        #expect(image.pixelSize == PixelSize(width: 24, height: 16))
        let items = [Item](repeating: Self.same, count: 8) + [Self.picture]
        expectDamage(
            HEIFBuilder(items: items, references: (UInt8(1)..<9).reversed().map { ("dimg", $0, [$0 + 1]) }))
    }

    @Test(
        "a picture derived from a missing item, or from one that is no picture, is damage",
        arguments: [nil, "mime", "jpeg"])
    func missing(kind: String?) {
        let part = kind.map { [Item(type: $0, extents: [HEIFBuilder.picture])] } ?? []
        let canvases = [
            (Self.same, []), HEIFBuilder.overlay(of: 1, width: 24, height: 16),
            HEIFBuilder.grid(columns: 1, rows: 1, width: 24, height: 16),
        ]
        for (item, canvas) in canvases {
            let builder = HEIFBuilder(items: [item] + part, references: [("dimg", 1, [2])], canvas: canvas)
            let error = #expect(throws: WebImageError.self) {
                _ = try? HEIFCoder().properties(of: builder.file(), isComplete: true)
                _ = try HEIFCoder().decode(builder.file(), options: ImageDecodeOptions())
            }
            #expect(error?.code == .badImageData, "\(error as Any)")
        }
    }

    @Test("a small file that uses a picture a million times is damage")
    func multiplication() {
        let (grid, canvas) = HEIFBuilder.grid(columns: 10, rows: 10, width: 24, height: 16)
        let hundred = { (item: UInt8) in [UInt8](repeating: item, count: 100) }
        expectDamage(
            HEIFBuilder(
                items: [grid, grid, grid, Self.picture],
                references: [("dimg", 1, hundred(2)), ("dimg", 2, hundred(3)), ("dimg", 3, hundred(4))], canvas: canvas)
        )
    }

    private func expectLimit(_ file: Data, _ limit: Int) {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = limit
        let error = #expect(throws: WebImageError.self) { try HEIFCoder().decode(file, options: options) }
        #expect(error?.code == .limitExceeded, "\(error as Any)")
        options.limits.maximumPixelCount = .max
        // The file claims a smaller size than it has.
        let other = #expect(throws: WebImageError.self) { try HEIFCoder().decode(file, options: options) }
        #expect(other?.code == .badImageData, "\(other as Any)")
    }

    @Test("limits hold for the real size of a grid, an overlay or a coded picture, even if the header states another")
    func sizes() {
        for (item, canvas) in [
            HEIFBuilder.grid(columns: 1, rows: 1, width: 200, height: 100),
            HEIFBuilder.overlay(of: 1, width: 200, height: 100),
        ] {
            let builder = HEIFBuilder(
                items: [item, Self.picture], references: [("dimg", 1, [2])], canvas: canvas)
            expectLimit(builder.file(), 10_000)
        }
        expectLimit(HEIFBuilder(items: [Item(extents: [HEIFBuilder.picture], size: [8, 8])]).file(), 300)
    }

    @Test("limits hold for the size of a frame that is larger than its sequence")
    func frameSize() throws { expectLimit(try FuzzSeeds.data("large-frame.heif"), 1 << 20) }

    @Test("limits hold for all parts of a picture together")
    func sum() throws {
        let (overlay, canvas) = HEIFBuilder.overlay(of: 5, width: 24, height: 16)
        let file = HEIFBuilder(
            items: [overlay, Self.picture], references: [("dimg", 1, [2, 2, 2, 2, 2])], canvas: canvas
        ).file()
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 24 * 16
        let error = #expect(throws: WebImageError.self) { try HEIFCoder().decode(file, options: options) }
        // libheif 1.17 takes no picture that is a part of another one twice.
        guard error?.reason.contains("double references") != true else { return }
        #expect(error?.code == .limitExceeded && error?.reason.contains("made of others") == true, "\(error as Any)")
        options.limits.maximumPixelCount = 2 * 24 * 16
        #expect(try HEIFCoder().decode(file, options: options).pixelSize == PixelSize(width: 24, height: 16))
    }
}
