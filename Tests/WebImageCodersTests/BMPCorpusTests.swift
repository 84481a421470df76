import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("BMP files of the corpus", .needsCorpus)
struct BMPCorpusTests {
    /// Fax compression, which exists in this suite's files only.
    private static let refused: Set = ["bmp/bmpsuite/q/pal1huffmsb.bmp"]

    /// Channels of 6, 11, 12, 17 or 18 bits: rounded to nearest here, verified for every pixel. The suite's pictures
    /// were made before those files and differ by up to one level, up and down.
    private static let roundedTwice: Set = [
        "bmp/bmpsuite/q/rgb32-111110.bmp", "bmp/bmpsuite/q/rgb32-7187.bmp", "bmp/bmpsuite/q/rgba32-61754.bmp",
        "bmp/bmpsuite/q/rgba32-81284.bmp",
    ]
    /// Its profile swaps red and green, with a curve other than sRGB's, so no reference has its pixels.
    private static let swapped = "bmp/bmpsuite/q/rgb24prof2.bmp"

    @Test("BMP files decode to the pixels of other decoders, or fail cleanly", arguments: Corpus.entries(of: "bmp"))
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: BMPCoder())
    }

    @Test("BMP headers are read correctly", arguments: Corpus.entries(of: "bmp", .decodes))
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: BMPCoder())
    }

    @Test(
        "all good and questionable files of bmpsuite look like one of its references",
        arguments: Corpus.entries(of: "bmp").filter {
            $0.reference != nil && !refused.contains($0.path) && $0.path != swapped
        })
    func references(entry: Corpus.Entry) throws {
        var options = ImageDecodeOptions.storedPixels
        options.convertsToSRGB = true
        let image = try BMPCoder().decode(Corpus.data(at: entry.path), options: options)
        let distance = try #require(try Corpus.distance(of: image, toReferencesOf: entry))
        #expect(distance <= (Self.roundedTwice.contains(entry.path) ? 1 : 0))
    }

    @Test("a profile is applied: primaries that are swapped, and a curve of 563/256")
    func profile() throws {
        var options = ImageDecodeOptions.storedPixels
        options.convertsToSRGB = true
        let bytes = try BMPCoder().decode(Corpus.data(at: Self.swapped), options: options).bitmap.bytes
        let reference = try Corpus.reference("bmp/bmpsuite/q/ref/rgb24.png").bytes
        let curve = (0...255).map { level in
            let light = pow(Double(level) / 255, 563 / 256)
            return light <= 0.0031308 ? light * 12.92 * 255 : (1.055 * pow(light, 1 / 2.4) - 0.055) * 255
        }
        for (index, byte) in bytes.enumerated() where index % 4 < 3 {
            #expect(abs(Double(byte) - curve[Int(reference[index])]) <= 0.75, "byte \(index)")
        }
    }

    @Test("fax compression is refused by name", arguments: Corpus.entries.filter { refused.contains($0.path) })
    func fax(entry: Corpus.Entry) {
        let error = #expect(throws: WebImageError.self) {
            try BMPCoder().decode(Corpus.data(at: entry.path), options: ImageDecodeOptions())
        }
        #expect(error?.reason.contains("huffman") == true)
    }
}
