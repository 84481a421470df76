import FoundationEssentials
import Testing
import WebImage
import WebImageTestSupport
import WebImageAVIF

@testable import WebImageHEIF

@Suite("Sizes in the headers of AV1 streams")
struct AV1SequenceTests {
    @Test("the header of a picture states its size, and so does that of a sequence after more fields")
    func streams() throws {
        let frame = ImageFrame(bitmap: try SmoothPicture.make(width: 70, height: 31), duration: .milliseconds(100))
        for file in [
            try AVIFCoder().encode(Image(bitmap: frame.bitmap), to: .avif, options: ImageEncodeOptions.best),
            try AVIFCoder().encode([frame, frame], loopCount: 0, to: .avif, options: ImageEncodeOptions.best),
        ] {
            let box = try #require(MediaBox.readable(ByteReader(file, format: .avif)).first { $0.type == "mdat" })
            #expect(AV1Sequence.largestSize(in: file[in: box.content]) == PixelSize(width: 70, height: 31))
        }
    }

    /// Beginnings of streams of 64 × 48 pixels with frames of 43 × 32, by libaom.
    private static let resized = "CgoAAAACr/ebXyAIMhQSAqfgB+AF6qgAACSwCLOkir4pMA=="
    private static let resilient = "CgsAAAACr/fwNr5AEDIUEBgEBU/AD8AL1VAAAElgELOkir4="
    private static let timed = "Ch0EAAAABAAAAGV4AAAAClMAAANfkV+Quq/3m18gCDIUEACAgDU/AD8AL1VAAAElgECzpIo="

    @Test(
        "a frame's own size follows the fields that its sequence adds; after a time, the largest possible size counts",
        arguments: [(resized, (43, 32)), (resilient, (43, 32)), (timed, (64, 64))])
    func ownSizes(text: String, size: (width: Int, height: Int)) throws {
        let stream = try #require(Data(base64Encoded: text))
        let length = Int(stream[1])
        let sequence = AV1SequenceHeader(stream.dropFirst(2).prefix(length))
        #expect(sequence.largestSize == PixelSize(width: 64, height: 48))
        let frame = stream.dropFirst(2 + length + 2)
        let own = PixelSize(width: size.width, height: size.height)
        #expect(AV1FrameHeader.ownSize(in: frame, of: sequence) == own)
        #expect(AV1Sequence.largestSize(in: stream)?.area == max(64 * 48, own.area))
    }

    @Test("a frame with higher numbers than its sequence allows has the size that it states")
    func largerThanAllowed() throws {
        var stream = try #require(Data(base64Encoded: Self.resized))
        // The sequence's twelve bits of width and height: a single pixel.
        stream[6] &= 0xF8
        stream[7] = 0
        stream[8] &= 0x7F
        #expect(AV1Sequence.largestSize(in: stream) == PixelSize(width: 43, height: 32))
    }
}
