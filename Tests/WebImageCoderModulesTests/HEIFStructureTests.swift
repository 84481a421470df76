import FoundationEssentials
import Testing
import WebImageCore
import WebImageIsolation
import WebImageTestSupport

/// libheif 1.15 follows circular references until the stack overflows, and allocates memory for the size in an item's
/// bitstream. Such a picture costs itself.
@Suite("HEIF pictures made of others", .needsDecoderProcesses, .timeLimit(.minutes(5)))
struct HEIFStructureTests {
    typealias Item = HEIFBuilder.Item
    private static let picture = Item(extents: [HEIFBuilder.picture])
    private static let same = Item(type: "iden", extents: [])
    private static let alpha = Item(extents: [HEIFBuilder.picture], isAlpha: true)
    private static let sameAsAlpha = Item(type: "iden", extents: [], isAlpha: true)

    private static let coder = DecoderProcesses.coder(.heif)

    /// A file is refused or, where its primary picture is another one, shown; its header may be right whatever it is made of.
    private func expectDamage(_ builder: HEIFBuilder, mayShow: Bool = false) {
        let file = builder.file()
        let header = Result { () throws(WebImageError) in try Self.coder.properties(of: file, isComplete: true) }
        let picture = Result { () throws(WebImageError) in
            try Self.coder.decode(file, options: ImageDecodeOptions())
        }
        if case .failure(let error) = header { #expect(error.code == .badImageData, "\(error)") }
        switch picture {
        case .success(let image): #expect(mayShow && image.pixelSize == PixelSize(width: 24, height: 16))
        case .failure(let error): #expect(error.code == .badImageData && error.kind == .permanent, "\(error)")
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
        let showsWhole = !references.contains { $0.1 == 1 || $0.2.contains(1) }
        expectDamage(HEIFBuilder(items: items, references: references), mayShow: showsWhole)
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

    @Test("pictures may be derived in several steps")
    func depth() throws {
        // libheif 1.18 and newer refuse, as the standard does, the same picture of the same picture.
        let (overlay, canvas) = HEIFBuilder.overlay(of: 1, width: 24, height: 16)
        let two = HEIFBuilder(
            items: [Self.same, overlay, Self.picture], references: [("dimg", 1, [2]), ("dimg", 2, [3])], canvas: canvas)
        let image = try Self.coder.decode(two.file(), options: ImageDecodeOptions())
        #expect(image.pixelSize == PixelSize(width: 24, height: 16))
        let items = [Item](repeating: Self.same, count: 8) + [Self.picture]
        expectDamage(
            HEIFBuilder(items: items, references: (UInt8(1)..<9).reversed().map { ("dimg", $0, [$0 + 1]) }),
            mayShow: true)
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
                _ = try? Self.coder.properties(of: builder.file(), isComplete: true)
                _ = try Self.coder.decode(builder.file(), options: ImageDecodeOptions())
            }
            #expect(error?.code == .badImageData, "\(error as Any)")
        }
    }

    @Test("a small file that uses a picture a million times takes no longer than the limit")
    func multiplication() {
        let (grid, canvas) = HEIFBuilder.grid(columns: 10, rows: 10, width: 24, height: 16)
        let hundred = { (item: UInt8) in [UInt8](repeating: item, count: 100) }
        let file = HEIFBuilder(
            items: [grid, grid, grid, Self.picture],
            references: [("dimg", 1, hundred(2)), ("dimg", 2, hundred(3)), ("dimg", 3, hundred(4))], canvas: canvas
        ).file()
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .milliseconds(200)
        let error = #expect(throws: WebImageError.self) { try Self.coder.decode(file, options: options) }
        // Newer versions count the pictures.
        let isOfTime = error?.code == .limitExceeded && error?.reason.contains("maximumDecodeDuration") == true
        #expect(isOfTime || error?.code == .badImageData, "\(error as Any)")
    }

    /// - Parameter memory: Enough for the size that the file states, and not for the one that it has.
    private func expectLimit(_ file: Data, memory: Int) {
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeMemory = memory
        let error = #expect(throws: WebImageError.self) { try Self.coder.decode(file, options: options) }
        // Newer versions compare the sizes first.
        let limits = ["maximumDecodeMemory", "than libheif allows"]
        let isOfMemory = error?.code == .limitExceeded && limits.contains { error?.reason.contains($0) == true }
        #expect(isOfMemory || error?.code == .badImageData, "\(error as Any)")
    }

    @Test("a grid, an overlay or a coded picture of another size than its header states is damage")
    func sizes() {
        for (item, canvas) in [
            HEIFBuilder.grid(columns: 1, rows: 1, width: 200, height: 100),
            HEIFBuilder.overlay(of: 1, width: 200, height: 100),
        ] {
            let builder = HEIFBuilder(
                items: [item, Self.picture], references: [("dimg", 1, [2])], canvas: canvas)
            expectDamage(builder)
        }
        expectDamage(HEIFBuilder(items: [Item(extents: [HEIFBuilder.picture], size: [8, 8])]))
    }

    @Test(
        "limits of memory hold for the real size, of a grid and of a frame that is larger than its sequence",
        arguments: ["giant-grid.heif", "large-frame.heif"])
    func realSize(name: String) throws { expectLimit(try FuzzSeeds.isolatedData(name), memory: 64 << 20) }

    @Test("a picture may be made of the same one several times")
    func sum() throws {
        let (overlay, canvas) = HEIFBuilder.overlay(of: 5, width: 24, height: 16)
        let file = HEIFBuilder(
            items: [overlay, Self.picture], references: [("dimg", 1, [2, 2, 2, 2, 2])], canvas: canvas
        ).file()
        do throws(WebImageError) {
            let image = try Self.coder.decode(file, options: ImageDecodeOptions())
            #expect(image.pixelSize == PixelSize(width: 24, height: 16))
        } catch {
            // libheif 1.17 takes no picture that is a part of another one twice.
            #expect(error.reason.contains("double references"), "\(error)")
        }
    }
}
