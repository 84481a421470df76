import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore

@testable import WebImageTestDoubles

/// How often animations play: the files are changed byte by byte, so that no encoder of ours says what the number means.
@Suite("How often animations play")
struct LoopCountTests {
    /// The file with the bytes after `mark` and `distance` more exchanged.
    private static func file(_ name: String, after mark: String, _ distance: Int, _ bytes: [UInt8]) throws -> Data {
        var data = try Fixtures.data(name)
        let start = try #require(data.firstRange(of: Data(mark.utf8))).upperBound + distance
        data.replaceSubrange(start..<start + bytes.count, with: bytes)
        return name.hasSuffix("png") ? PNGBuilder.repairingCheckSums(data) : data
    }

    private static func check(_ data: Data, plays count: Int) throws {
        let image = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        #expect(image.metadata.loopCount == count)
        #expect(try #require(image.animation).loopCount == count)
        #expect(try ImageCodersManager.shared.properties(of: data, isComplete: true)?.loopCount == count)
    }

    @Test(
        "B32 A56 a GIF's number is that of the repetitions after the first play, 0 for endless",
        arguments: [0, 1, 3, 258])
    func gif(count: Int) throws {
        try Self.check(
            Self.file("animated.gif", after: "NETSCAPE2.0", 2, [UInt8(count & 255), UInt8(count >> 8)]),
            plays: count == 0 ? 0 : count + 1)
    }

    @Test("A56 a GIF without the block plays once")
    func gifWithoutBlock() throws {
        let data = try Fixtures.data("animated-once.gif")
        #expect(data.firstRange(of: Data("NETSCAPE".utf8)) == nil)
        try Self.check(data, plays: 1)
    }

    @Test("A56 an animated PNG plays as often as it states, 0 for endless", arguments: [0, 1, 3, 258])
    func png(count: Int) throws {
        let number = PNGBuilder.bigEndian(count, bytes: 4)
        try Self.check(Self.file("animated.png", after: "acTL", 4, number), plays: count)
    }

    @Test("A56 an animated WebP plays as often as it states, 0 for endless", arguments: [0, 1, 3, 258])
    func webP(count: Int) throws {
        let number = [UInt8(count & 255), UInt8(count >> 8)]
        try Self.check(Self.file("animated.webp", after: "ANIM", 8, number), plays: count)
    }
}
