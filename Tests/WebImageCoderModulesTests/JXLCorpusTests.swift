import CJXL
import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageJXL
import WebImageTestSupport

@Suite("JPEG XL files of the corpus", .needsCorpus)
struct JXLCorpusTests {
    @Test(
        "JPEG XL files decode to the colours of other decoders, or fail cleanly", arguments: Corpus.entries(of: "jxl"))
    func decoding(entry: Corpus.Entry) {
        // The manifest's means come from a decoder that decodes these wrongly and rotates them; they have references.
        guard entry.reference == nil else { return }
        Corpus.checkQuadrants(entry, by: JXLCoder())
    }

    /// The manifest has them upright, without their orientation.
    private static let oriented: Set = [
        "jxl/conformance/bench_oriented_brg/bench_oriented_brg.jxl", "jxl/conformance/sunset_logo/sunset_logo.jxl",
    ]

    @Test("JPEG XL headers are read correctly", arguments: Corpus.entries(of: "jxl", .decodes))
    func properties(entry: Corpus.Entry) throws {
        guard !Self.oriented.contains(entry.path) else { return }
        try Corpus.checkProperties(entry, by: JXLCoder())
    }

    @Test(
        "JPEG XL pixels equal those of the conformance suite",
        arguments: Corpus.entries(of: "jxl", .decodes).filter { $0.reference?.hasSuffix(".png") == true })
    func conformance(entry: Corpus.Entry) throws {
        guard entry.path != Self.blended || JxlDecoderVersion() < 9000 else { return try blending() }
        let image = try JXLCoder().decode(Corpus.data(at: entry.path), options: ImageDecodeOptions())
        let reference = try ImageCodersManager.shared.decode(
            Corpus.data(at: #require(entry.references.first)), options: ImageDecodeOptions())
        #expect(image.bitmap.meanDifference(from: reference.bitmap) < 1)
    }

    private static let blended = "jxl/conformance/blendmodes/blendmodes.jxl"

    /// The suite's picture is that of a decoder which limits alpha to 1 where the file does not ask for it. Newer versions
    /// of libjxl do as the standard says (libjxl's change 2418); these are colours of 0.11.
    private func blending() throws {
        var options = ImageDecodeOptions()
        options.pixelFormat = .rgba8Straight
        let bitmap = try JXLCoder().decode(Corpus.data(at: Self.blended), options: options).bitmap
        let expected: [(x: Int, y: Int, color: [UInt8])] = [
            (45, 0, [9, 255, 164, 82]), (277, 81, [0, 151, 117, 85]), (88, 245, [0, 45, 68, 90]),
            (626, 325, [35, 255, 172, 111]), (930, 488, [190, 255, 255, 116]), (517, 569, [83, 255, 170, 160]),
            (163, 652, [0, 15, 28, 182]), (690, 733, [131, 255, 190, 255]), (662, 913, [191, 255, 213, 255]),
        ]
        for (x, y, color) in expected { #expect(largestDifference(bitmap.pixel(x, y), color) <= 1, "\(x), \(y)") }
    }
}
