import FoundationEssentials
import Testing
import WebImage
import WebImageAVIF

@testable import WebImageHEIF

@Suite("Sizes in the headers of AV1 streams")
struct AV1SequenceTests {
    @Test("the size is found in the short header of a picture, and in that of a sequence, which has more before it")
    func streams() throws {
        let frame = ImageFrame(bitmap: try SmoothPicture.make(width: 70, height: 31), duration: 0.1)
        for file in [
            try AVIFCoder().encode(Image(bitmap: frame.bitmap), to: .avif, options: ImageEncodeOptions()),
            try AVIFCoder().encode([frame, frame], loopCount: 0, to: .avif, options: ImageEncodeOptions()),
        ] {
            let box = try #require(MediaBox.readable(ByteReader(file, format: .avif)).first { $0.type == "mdat" })
            #expect(AV1Sequence.largestSize(in: file[in: box.content]) == PixelSize(width: 70, height: 31))
        }
    }
}
