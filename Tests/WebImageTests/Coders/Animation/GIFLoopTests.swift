import FoundationEssentials
import Testing
import WebImage
@testable import WebImageTestDoubles

@Suite("Plays of a GIF")
struct GIFLoopTests {
    private static func file(plays: Int) throws -> Data {
        let frames = try (1...2).map { index in
            ImageFrame(
                bitmap: try Bitmap(
                    size: PixelSize(width: 1, height: 1), format: .rgba8Straight, pixels: [UInt8(index), 0, 0, 255]),
                duration: .milliseconds(100))
        }
        return try GIFCoder().encode(frames, loopCount: plays, to: .gif, options: ImageEncodeOptions())
    }

    @Test("BCO-4 one play is written without a loop block, others with one", arguments: [0, 1, 2, 5, 65_535])
    func written(plays: Int) throws {
        let data = try Self.file(plays: plays)
        #expect((data.firstRange(of: Data("NETSCAPE2.0".utf8)) == nil) == (plays == 1))
        #expect(try GIFCoder().properties(of: data, isComplete: true)?.loopCount == plays)
        #expect(try GIFCoder().makeAnimation(of: data, options: ImageDecodeOptions()).loopCount == plays)
    }
}
