import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore

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

    @Test("BCO-4 one play is written without a loop block, others with one", arguments: [0, 1, 2, 5, 65_536])
    func written(plays: Int) throws {
        let data = try Self.file(plays: plays)
        #expect((data.firstRange(of: Data("NETSCAPE2.0".utf8)) == nil) == (plays == 1))
        #expect(try GIFCoder().properties(of: data, isComplete: true)?.loopCount == plays)
        #expect(try GIFCoder().makeAnimation(of: data, options: ImageDecodeOptions()).loopCount == plays)
    }

    @Test("BCO-4 the loop block counts the repetitions after the first play", arguments: [2, 5])
    func repetitions(plays: Int) throws {
        let data = try Self.file(plays: plays)
        let block = try #require(data.firstRange(of: Data("NETSCAPE2.0".utf8))).upperBound
        #expect(Array(data[block..<block + 5]) == [3, 1, UInt8(plays - 1), 0, 0])
    }

    @Test("B32 A56 on request the number is that of all plays, as SDWebImage takes it", arguments: [0, 2, 5])
    func sdWebImage(plays: Int) throws {
        var options = ImageDecodeOptions()
        options.countsPlaysOfGIF = true
        let data = try Self.file(plays: plays)
        let image = try ImageCodersManager.shared.decode(data, options: options)
        #expect(image.metadata.loopCount == max(0, plays - 1))
        #expect(image.animation?.loopCount == max(0, plays - 1))
    }
}
