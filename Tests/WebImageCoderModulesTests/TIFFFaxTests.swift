import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTIFF
import WebImageTestSupport

@Suite("Fax in TIFF")
struct TIFFFaxTests {
    /// Runs of 16 pixels, from white (ITU-T T.4 §4.1, table 2).
    private static let rows: [(runs: [Int], codes: String)] = [
        ([4, 4, 8], "1011" + "011" + "10011"), ([8, 8], "10011" + "000101"), ([0, 16], "00110101" + "0000010111"),
        ([16], "101010"), ([3, 3, 3, 3, 4], "1000" + "10" + "1000" + "10" + "1011"),
    ]

    /// Whether each is white.
    private static var pixels: [Bool] {
        rows.flatMap { row in row.runs.enumerated().flatMap { [Bool](repeating: $0.isMultiple(of: 2), count: $1) } }
    }

    /// - Parameter lineEnd: In front of each row.
    private func file(lineEnd: String) -> Data {
        let bits = Self.rows.map { lineEnd + $0.codes }.joined() + "0000000"
        let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            UInt8(bits.dropFirst(start).prefix(8), radix: 2) ?? 0
        }
        var builder = TIFFBuilder(width: 16, height: Self.rows.count, bits: [1], photometric: 0)
        builder.tags = [259: 3]
        builder.pixels = bytes
        return builder.data
    }

    @Test("Group 3 is read with an EOL in front of each row, and without any", arguments: ["000000000001", ""])
    func lineEnds(lineEnd: String) throws {
        let data = file(lineEnd: lineEnd)
        let bitmap = try TIFFCoder().decode(data, options: .storedPixels).bitmap
        #expect(bitmap.size == PixelSize(width: 16, height: Self.rows.count))
        let found = (0..<bitmap.size.area).map { bitmap.pixel($0 % 16, $0 / 16)[0] > 127 }
        #expect(found == Self.pixels)
    }

    @Test("so it is in parts, and damage stays damage")
    func parts() throws {
        let data = file(lineEnd: "")
        var options = ImageDecodeOptions.storedPixels
        options.thumbnailPixelSize = PixelSize(width: 8, height: 8)
        #expect(throws: Never.self) { try TIFFCoder().decode(data, options: options) }
        var builder = TIFFBuilder(width: 16, height: 5, bits: [1], photometric: 0)
        builder.tags = [259: 3]
        builder.pixels = [0, 0, 0]
        let damaged = builder.data
        let result = Result { () throws(WebImageError) in try TIFFCoder().decode(damaged, options: .storedPixels) }
        switch result {
        case .failure(let error): #expect(error.code == .badImageData)
        // libtiff 4.7 reads rows that are missing as white ones.
        case .success(let image): #expect((0..<16 * 5).allSatisfy { image.bitmap.pixel($0 % 16, $0 / 16)[0] == 255 })
        }
    }

    @Test("a page of a fax machine without EOL is whole", .needsCase("fax3_noEOL.tif"))
    func page() throws {
        let bitmap = try TIFFCoder().decode(Corpus.caseData("fax3_noEOL.tif"), options: ImageDecodeOptions()).bitmap
        let reference = try ImageCodersManager.shared.decode(
            Corpus.caseData("ref_fax3_noEOL.png"), options: ImageDecodeOptions())
        #expect(bitmap.meanDifference(from: reference.bitmap) < 0.01)
    }
}
