import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageHEIF
import WebImageTestSupport

/// An HEVC encoder may be missing, so this test has a file.
@Suite("Reading HEIC")
struct HEICReadingTests {
    /// 32×32 pixels: red, green, blue and white quarters, by x265.
    private static let file = """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa5tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRt
        AAAAAAACAAAAEGlkYXQAAAAAACAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHSAAEAAAAAAAABCQACAAEAAAAAAAAAAQAAAAAAAAAIAAAA
        OGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADZaXBycAAAALdpcGNvAAAAd2h2Y0MBBAgA
        AAAAAAAAAAAe8AD8//j4AAAPAyAAAQAXQAEMAf//BAgAAAMAnjgAAAMAAB66AkAhAAEAKkIBAQQIAAADAJ44AAADAAAekAQQILLdXJTXNwEN
        BgQAAAMABAAAAwAEICIAAQAIRAHBcxgwCJAAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAACAAAAAgAAAAEHBpeGkAAAAAAwgI
        CAAAABppcG1hAAAAAAAAAAIAAQKBAgACAgOEAAAAGmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAERbWRhdAAAAQUoAa8GOFr3tt/M4H//+Vpv
        of3rilL9/Ejb//kvd//7MFB18/GJ4xv0yZv/+Pbyodf603f/2jIsfFI5pP1seCv3tF8YJdiZutx/iLsaWzMSBNuX/PABDsT769A6DnEOauJq
        um/Na31OD67+sflVAXAQMI6YJwg8vsPmFMl0G5NTJ9REVMyHrIgT7dOXpYwV4l8LRP5rzBsKlX8I6fLj53stz/95/Dk4l8OAXzgI6Rb/3nq/
        z/ffkzagPxn4FMsxFGrbD6A0e6cTyOVDmQmIQpEhrGKhYtc8td8MXMSMrs9mraephEsi+lADAcUzrMO2dDW1+hT9qMIw4N8BwMDEmhrby55F
        b4A=
        """

    private func data() throws -> Data {
        try #require(Data(base64Encoded: Self.file.filter { !$0.isWhitespace }))
    }

    @Test("BCO-6 HEIC is read, whole and small, also where no encoder exists")
    func reading() throws {
        let data = try data()
        #expect(ImageFormat(sniffing: data) == .heic && HEIFCoder().canDecode(data))
        let properties = try #require(try HEIFCoder().properties(of: data, isComplete: true))
        #expect(properties.format == .heic && properties.pixelSize == PixelSize(width: 32, height: 32))
        #expect(properties.frameCount == 1 && properties.loopCount == 0 && !properties.hasAlpha)
        for side in [32, 16] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = PixelSize(width: side, height: side)
            let image = try HEIFCoder().decode(data, options: options)
            #expect(image.pixelSize == PixelSize(width: side, height: side) && image.metadata.format == .heic)
            let (near, far) = (side / 4, side * 3 / 4)
            let corners = [(near, near), (far, near), (near, far), (far, far)].flatMap { image.bitmap.pixel($0, $1) }
            let expected: [UInt8] = [
                255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255,
            ]
            #expect(largestDifference(corners, expected) <= 4)
        }
    }

    @Test(
        "BCO-6 a HEIC picture whose header states another size than its bitstream is damaged, and costs itself",
        .needsEncoder(of: .heic), .needsDecoderProcesses)
    func codedSize() throws {
        let heic = try #require(CoderCase.writable(.heic))
        var file = try heic.encode(SmoothPicture.make(width: 200, height: 100))
        while let width = file.range(of: Data("ispe".utf8 + [0, 0, 0, 0, 0, 0, 0, 200])) {
            file.replaceSubrange(width.upperBound - 1..<width.upperBound + 4, with: [20, 0, 0, 0, 10])
        }
        let error = #expect(throws: WebImageError.self) {
            try DecoderProcesses.coders.decode(file, options: ImageDecodeOptions())
        }
        // libheif 1.23 compares the sizes itself, and older versions do not.
        let isOfSize = ["another size", "does not have the size"].contains { error?.reason.contains($0) == true }
        #expect(error?.code == .badImageData && isOfSize, "\(error as Any)")
    }
}
