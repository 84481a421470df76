import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("GIF blocks")
struct GIFReaderTests {
    private func properties(_ builder: GIFBuilder) throws -> ImageProperties {
        try #require(try GIFCoder().properties(of: builder.data, isComplete: true))
    }

    /// A file of two frames with `preparation` before them.
    private func animation(_ preparation: (inout GIFBuilder) -> Void = { _ in }) -> GIFBuilder {
        var builder = GIFBuilder(width: 1, height: 1)
        preparation(&builder)
        for hundredths in [5, 0] {
            builder.appendControl(hundredths: hundredths)
            builder.appendFrame(width: 1, height: 1, indices: [1])
        }
        builder.appendTrailer()
        return builder
    }

    @Test("MET-1 BCO-4 the looping block gives the repetitions, 0 for endless, and without it there are none")
    func loops() throws {
        #expect(try properties(animation()).loopCount == 1)
        #expect(try properties(animation { $0.appendLoop(0) }).loopCount == 0)
        #expect(try properties(animation { $0.appendLoop(7) }).loopCount == 8)
        #expect(try properties(animation { $0.appendLoop(65_535, name: "ANIMEXTS1.0") }).loopCount == 65_536)
        #expect(try properties(animation { $0.appendLoop(7, name: "NETSCAPE3.0") }).loopCount == 1)
        let real = try GIFCoder().properties(of: Fixtures.data("animated.gif"), isComplete: true)
        #expect(real?.loopCount == 4)
        let once = try GIFCoder().properties(of: Fixtures.data("animated-once.gif"), isComplete: true)
        #expect(once?.loopCount == 1)
    }

    @Test("delays are reported in milliseconds, as in the file")
    func delays() throws {
        #expect(try properties(animation()).frameDurations == [50, 0].map { .milliseconds($0) })
        let real = try GIFCoder().properties(of: Fixtures.data("animated.gif"), isComplete: true)
        #expect(real?.frameDurations == [50, 100, 150].map { .milliseconds($0) })
    }

    @Test("a still picture has no loops and no durations")
    func still() throws {
        var builder = GIFBuilder(width: 1, height: 1)
        builder.appendLoop(4)
        builder.appendControl(hundredths: 10)
        builder.appendFrame(width: 1, height: 1, indices: [1])
        builder.appendTrailer()
        let properties = try properties(builder)
        #expect(properties.frameCount == 1)
        #expect(properties.loopCount == 0)
        #expect(properties.frameDurations == [])
        #expect(!properties.hasAlpha)
    }

    @Test(
        "a frame that claims too many pixels is refused, whole, in pieces or behind others",
        arguments: [false, true])
    func hugeFrames(isFirst: Bool) throws {
        var builder = GIFBuilder(width: 1, height: 1)
        if !isFirst { builder.appendFrame(width: 1, height: 1, indices: [1]) }
        builder.appendFrame(width: 65_535, height: 65_535, indices: [1])
        builder.appendFrame(width: 1, height: 1, indices: [1])
        builder.appendTrailer()
        let data = builder.data
        let whole = #expect(throws: WebImageError.self) {
            try GIFCoder().decode(data, options: ImageDecodeOptions())
        }
        #expect(whole?.code == .limitExceeded)
        for length in [data.count, 1] {
            let decoder = GIFCoder().makeProgressiveDecoder(options: ImageDecodeOptions())
            let error = #expect(throws: WebImageError.self) {
                for start in stride(from: 0, to: data.count, by: length) {
                    _ = try decoder.update(data.dropFirst(start).prefix(length))
                }
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test("a part of a file is not enough")
    func prefixes() throws {
        let data = animation { $0.appendLoop(2) }.data
        for count in 0..<data.count {
            #expect(try GIFCoder().properties(of: data.prefix(count), isComplete: false) == nil, "\(count) bytes")
        }
        #expect(try GIFCoder().properties(of: data, isComplete: false)?.frameCount == 2)
    }

    @Test("a still picture may lack its trailer, an animation may not")
    func noTrailer() throws {
        var still = GIFBuilder(width: 1, height: 1)
        still.appendControl()
        still.appendFrame(width: 1, height: 1, indices: [1])
        #expect(try GIFCoder().decode(still.data, options: .storedPixels).bitmap.bytes == [255, 0, 0, 255])
        #expect(try GIFCoder().properties(of: still.data, isComplete: false) == nil)
        still.appendControl()
        for data in [still.data, animation().data.dropLast()] {
            let error = #expect(throws: WebImageError.self) {
                try GIFCoder().properties(of: data, isComplete: true)
            }
            #expect(error?.code == .truncatedImageData)
        }
    }

    @Test("garbage after the last frame is ignored")
    func garbage() throws {
        let data = animation().data
        #expect(try GIFCoder().properties(of: data + [1, 2, 3], isComplete: true)?.frameCount == 2)
        #expect(try GIFCoder().properties(of: data.dropLast() + [0, 0, 0], isComplete: true)?.frameCount == 2)
    }

    @Test("a file within other bytes is read from its own beginning")
    func slices() throws {
        let data = Data([1, 2, 3]) + animation().data + [4, 5]
        let slice = data[3..<data.count - 2]
        #expect(try GIFCoder().properties(of: slice, isComplete: true)?.frameCount == 2)
        #expect(try GIFCoder().decode(slice, options: .storedPixels).bitmap.bytes == [255, 0, 0, 255])
    }

    @Test("A47 an unknown block, a trailer without frames and a frame without size are damage")
    func damage() {
        var unknown = GIFBuilder(width: 1, height: 1)
        unknown.append([0x99])
        var empty = GIFBuilder(width: 1, height: 1)
        empty.appendTrailer()
        var flat = GIFBuilder(width: 1, height: 1)
        flat.appendFrame(width: 0, height: 1, indices: [1])
        var wide = GIFBuilder(width: 1, height: 1)
        wide.appendFrame(width: 1, height: 1, minimumCodeSize: 12, lzw: [0])
        for builder in [unknown, empty, flat, wide] {
            let error = #expect(throws: WebImageError.self) {
                try GIFCoder().properties(of: builder.data, isComplete: true)
            }
            #expect(error?.code == .badImageData)
        }
    }

    @Test("more frames than allowed are refused")
    func frameLimit() {
        var options = ImageDecodeOptions()
        options.limits.maximumFrameCount = 1
        let error = #expect(throws: WebImageError.self) {
            try GIFCoder().decode(animation().data, options: options)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("of a file with more frames than allowed, the first one alone is shown; its end counts all the same")
    func firstOfMany() throws {
        var builder = GIFBuilder(width: 1, height: 1)
        builder.appendLoop(0)
        for index in 0...ImageLimits().maximumFrameCount {
            builder.appendFrame(width: 1, height: 1, indices: [index == 0 ? 1 : 2])
        }
        var options = ImageDecodeOptions()
        let error = #expect(throws: WebImageError.self) { try GIFCoder().decode(builder.data, options: options) }
        #expect(error?.reason.contains("maximumFrameCount") == true)
        options.decodesFirstFrameOnly = true
        let cut = #expect(throws: WebImageError.self) { try GIFCoder().decode(builder.data, options: options) }
        #expect(cut?.code == .truncatedImageData)
        builder.appendTrailer()
        let image = try GIFCoder().decode(builder.data, options: options)
        #expect(image.metadata.frameCount == 1 && image.bitmap.pixel(0, 0) == [255, 0, 0, 255])
        #expect(try GIFCoder().properties(of: builder.data, isComplete: true, options: options)?.frameCount == 1)
        options = ImageDecodeOptions()
        options.limits.maximumFrameCount = 10_001
        #expect(try GIFCoder().decode(builder.data, options: options).metadata.frameCount == 10_001)
        #expect(try GIFCoder().properties(of: builder.data, isComplete: true, options: options)?.frameCount == 10_001)
    }
}
