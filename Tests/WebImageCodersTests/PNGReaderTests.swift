import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("PNG chunks")
struct PNGReaderTests {
    /// A file of one gray pixel with `chunks` before and `later` after its pixels.
    private func file(_ chunks: [(String, [UInt8])] = [], later: [(String, [UInt8])] = []) -> Data {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1, colorType: 0)
        for (type, content) in chunks { builder.append(type, content) }
        builder.appendPixels([0, 128])
        for (type, content) in later { builder.append(type, content) }
        builder.appendEnd()
        return builder.data
    }

    /// - Parameter number: Of the chunk among the animation's.
    private func frameControl(_ number: Int, _ numerator: Int, _ denominator: Int) -> (String, [UInt8]) {
        let delay = PNGBuilder.bigEndian(numerator, bytes: 2) + PNGBuilder.bigEndian(denominator, bytes: 2)
        let area = [1, 1, 0, 0].flatMap { PNGBuilder.bigEndian($0, bytes: 4) }
        return ("fcTL", PNGBuilder.bigEndian(number, bytes: 4) + area + delay + [0, 0])
    }

    private func frameData(_ number: Int) -> (String, [UInt8]) {
        ("fdAT", PNGBuilder.bigEndian(number, bytes: 4) + PNGBuilder.zlib([0, 128]))
    }

    private func animationControl(frames: Int, plays: Int) -> (String, [UInt8]) {
        ("acTL", PNGBuilder.bigEndian(frames, bytes: 4) + PNGBuilder.bigEndian(plays, bytes: 4))
    }

    private static let orientationSix: [UInt8] =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]

    @Test("BCO-10 MET-2 an animation's frames, durations and plays are read")
    func animation() throws {
        let data = try Fixtures.data("animated.png")
        let properties = try #require(try PNGCoder().properties(of: data, isComplete: true))
        #expect(properties.frameCount == 3)
        #expect(properties.frameDurations == [40, 80, 120].map { .milliseconds($0) })
        #expect(properties.loopCount == 2)
        let image = try PNGCoder().decode(data, options: .storedPixels)
        #expect(image.metadata.frameCount == 3)
        #expect(image.metadata.loopCount == 2)
        #expect(image.bitmap.pixel(2, 2) == [255, 0, 0, 255])
    }

    @Test("a delay is a fraction of a second, in hundredths without a denominator")
    func delays() throws {
        let data = file(
            [animationControl(frames: 4, plays: 0), frameControl(0, 1, 30)],
            later: [
                frameControl(1, 7, 0), frameData(2), frameControl(3, 0, 10), frameData(4), frameControl(5, 3, 1),
                frameData(6),
            ])
        let properties = try PNGCoder().properties(of: data, isComplete: true)
        #expect(properties?.frameDurations == [33, 70, 0, 3000].map { .milliseconds($0) })
        #expect(properties?.loopCount == 0)
    }

    @Test(
        "a fault in the sequence ends the reported frames as well as the shown ones",
        arguments: [(2, 1), (4, 2), (5, 3)])
    func sequenceFaults(fault: Int, frameCount: Int) throws {
        let number = { (wanted: Int) in wanted == fault ? 9 : wanted }
        let data = file(
            [animationControl(frames: 4, plays: 3), frameControl(number(0), 1, 10)],
            later: [
                frameControl(number(1), 2, 10), frameData(number(2)), frameControl(number(3), 3, 10),
                frameData(number(4)), frameControl(number(5), 4, 10), frameData(number(6)),
            ])
        let properties = try #require(try PNGCoder().properties(of: data, isComplete: true))
        #expect(properties.frameCount == frameCount)
        #expect(
            properties.frameDurations
                == (frameCount > 1 ? [100, 200, 300].prefix(frameCount).map { Duration.milliseconds($0) } : []))
        let image = try PNGCoder().decode(data, options: ImageDecodeOptions())
        #expect(image.metadata.frameCount == frameCount && image.metadata.loopCount == properties.loopCount)
        #expect((image.animation?.frameCount ?? 1) == frameCount)
    }

    @Test("an animation control chunk without frames makes no animation")
    func brokenAnimation() throws {
        let properties = try PNGCoder().properties(
            of: file([animationControl(frames: 5, plays: 1)]), isComplete: true)
        #expect(properties?.frameCount == 1)
        #expect(properties?.loopCount == 0)
        #expect(properties?.frameDurations == [])
    }

    @Test("a still picture's header is complete where its pixels begin, an animation's at the end")
    func prefixes() throws {
        let still = file()
        let pixels = 8 + 25 + 8
        #expect(try PNGCoder().properties(of: still.prefix(pixels - 1), isComplete: false) == nil)
        #expect(try PNGCoder().properties(of: still.prefix(pixels), isComplete: false) != nil)
        let animated = try Fixtures.data("animated.png")
        #expect(try PNGCoder().properties(of: animated.dropLast(13), isComplete: false) == nil)
        #expect(throws: WebImageError.self) {
            try PNGCoder().properties(of: animated.dropLast(13), isComplete: true)
        }
    }

    @Test("the orientation is found before and after the pixels")
    func orientation() throws {
        let chunk = ("eXIf", Self.orientationSix)
        #expect(try PNGCoder().properties(of: file([chunk]), isComplete: true)?.orientation == .right)
        #expect(try PNGCoder().properties(of: file(later: [chunk]), isComplete: true)?.orientation == .right)
    }

    @Test("the profile has its own name, or its chunk's when it is broken")
    func profile() throws {
        let real = try PNGCoder().properties(of: Fixtures.data("profile.png"), isComplete: true)
        #expect(real?.iccProfileName == "sRGB built-in")
        let chunk = Array("My profile".utf8) + [0, 0] + PNGBuilder.zlib([1, 2, 3])
        let broken = try PNGCoder().properties(of: file([("iCCP", chunk)]), isComplete: true)
        #expect(broken?.iccProfileName == "My profile")
    }

    @Test("a profile that inflates beyond its limit is ignored")
    func bomb() {
        let deflated = Data(PNGBuilder.zlib([UInt8](repeating: 7, count: 70_000)))
        #expect(Inflate.zlib(deflated, maximumByteCount: 70_000) == Data(repeating: 7, count: 70_000))
        #expect(Inflate.zlib(deflated, maximumByteCount: 69_999) == nil)
        #expect(Inflate.zlib(deflated.dropLast(9), maximumByteCount: 70_000) == nil)
        #expect(Inflate.zlib(Data(), maximumByteCount: 70_000) == nil)
    }

    @Test("damage in a critical chunk is an error", arguments: ["IHDR", "IDAT"])
    func checkSums(type: String) {
        var builder = PNGBuilder()
        let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
        builder.append("IHDR", header, damagesCheckSum: type == "IHDR")
        builder.append("IDAT", PNGBuilder.zlib([0, 128]), damagesCheckSum: type == "IDAT")
        builder.appendEnd()
        let error = #expect(throws: WebImageError.self) {
            try PNGCoder().decode(builder.data, options: ImageDecodeOptions())
        }
        #expect(error?.code == .badImageData)
    }

    @Test("damage in an ancillary chunk is ignored")
    func harmlessDamage() throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1, colorType: 0)
        builder.append("tEXt", Array("Title\0x".utf8), damagesCheckSum: true)
        builder.appendPixels([0, 128])
        builder.appendEnd()
        let image = try PNGCoder().decode(builder.data, options: .storedPixels)
        #expect(image.bitmap.bytes == [128, 128, 128, 255])
    }

    @Test("headers that PNG does not allow are refused", arguments: [(3, 16), (2, 4), (1, 8), (6, 3), (0, 0)])
    func impossibleHeaders(colorType: Int, bitDepth: Int) {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1, bitDepth: bitDepth, colorType: colorType)
        builder.appendPixels([0, 0, 0, 0, 0])
        builder.appendEnd()
        let error = #expect(throws: WebImageError.self) {
            try PNGCoder().properties(of: builder.data, isComplete: true)
        }
        #expect(error?.code == .badImageData)
    }

    @Test("more frames than allowed are refused")
    func frameLimit() {
        var options = ImageDecodeOptions()
        options.limits.maximumFrameCount = 4
        let data = file([animationControl(frames: 5, plays: 0)])
        let error = #expect(throws: WebImageError.self) { try PNGCoder().decode(data, options: options) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("of a file with more frames than allowed, the default image alone is shown")
    func firstOfMany() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumFrameCount = 4
        options.decodesFirstFrameOnly = true
        let data = file([animationControl(frames: 5, plays: 0)])
        #expect(try PNGCoder().decode(data, options: options).metadata.frameCount == 1)
        #expect(try PNGCoder().properties(of: data, isComplete: true, options: options)?.frameCount == 1)
        #expect(throws: Never.self) { try PNGCoder().makeProgressiveDecoder(options: options).update(data) }
    }
}
