import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("APNG animations")
struct APNGAnimationTests {
    /// Writes animations of frames of one colour.
    private struct Builder {
        var png = PNGBuilder()
        var number = 0

        init(frames: Int, plays: Int = 0) {
            png.appendHeader(width: 2, height: 1)
            png.append("acTL", PNGBuilder.bigEndian(frames, bytes: 4) + PNGBuilder.bigEndian(plays, bytes: 4))
        }

        mutating func appendControl(
            left: Int = 0, width: Int = 2, disposal: UInt8 = 0, blend: UInt8 = 0, delay: [Int] = [1, 10]
        ) {
            var content = PNGBuilder.bigEndian(number, bytes: 4)
            for value in [width, 1, left, 0] { content += PNGBuilder.bigEndian(value, bytes: 4) }
            for value in delay { content += PNGBuilder.bigEndian(value, bytes: 2) }
            png.append("fcTL", content + [disposal, blend])
            number += 1
        }

        mutating func appendData(_ pixels: [[UInt8]]) {
            png.append(
                "fdAT", PNGBuilder.bigEndian(number, bytes: 4) + PNGBuilder.zlib([0] + pixels.flatMap { $0 }))
            number += 1
        }

        mutating func appendDefaultImage(_ pixels: [[UInt8]]) { png.appendPixels([0] + pixels.flatMap { $0 }) }

        func animation() throws -> any AnimatedImageProvider {
            var png = png
            png.appendEnd()
            return try PNGCoder().makeAnimation(of: png.data, options: .storedPixels)
        }
    }

    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let half: [UInt8] = [0, 0, 255, 128]

    @Test("an orientation behind the last frame turns the animation")
    func orientationAtTheEnd() throws {
        var builder = Builder(frames: 2)
        builder.appendControl()
        builder.appendDefaultImage([Self.red, Self.green])
        builder.appendControl()
        builder.appendData([Self.green, Self.red])
        // A directory with the entry for orientation (TIFF 6.0 §2).
        builder.png.append(
            "eXIf", [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
        builder.png.appendEnd()
        let upright = PixelSize(width: 1, height: 2)
        #expect(try PNGCoder().properties(of: builder.png.data, isComplete: true)?.pixelSize == upright)
        let image = try PNGCoder().decode(builder.png.data, options: ImageDecodeOptions())
        #expect(image.pixelSize == upright)
        #expect(try image.animation?.frame(at: 1).size == upright)
    }

    @Test("BCO-5 frames replace the canvas or are laid over it")
    func blending() throws {
        for (blend, expected) in [(UInt8(0), Self.half), (1, [127, 0, 128, 255])] {
            var builder = Builder(frames: 2)
            builder.appendControl()
            builder.appendDefaultImage([Self.red, Self.red])
            builder.appendControl(left: 1, width: 1, blend: blend)
            builder.appendData([Self.half])
            let animation = try builder.animation()
            #expect(try animation.frame(at: 0).bytes == Self.red + Self.red)
            #expect(try animation.frame(at: 1).bytes == Self.red + expected)
            #expect(animation.duration(at: 0) == .milliseconds(100))
        }
    }

    @Test("BCO-5 a default image before the first frame's control is no frame")
    func hiddenDefaultImage() throws {
        var builder = Builder(frames: 2, plays: 4)
        builder.appendDefaultImage([Self.red, Self.red])
        for color in [Self.green, Self.half] {
            builder.appendControl(delay: [5, 0])
            builder.appendData([color, color])
        }
        builder.png.appendEnd()
        let image = try PNGCoder().decode(builder.png.data, options: .storedPixels)
        #expect(image.bitmap.bytes == Self.green + Self.green)
        #expect(image.metadata.frameCount == 2 && image.metadata.loopCount == 4)
        #expect(image.animation?.duration(at: 1) == .milliseconds(50))
        var options = ImageDecodeOptions.storedPixels
        options.decodesFirstFrameOnly = true
        #expect(try PNGCoder().decode(builder.png.data, options: options).bitmap.bytes == Self.red + Self.red)
    }

    @Test("chunks out of order end the animation before the fault; with one frame it is a still picture")
    func sequenceErrors() throws {
        for skipped in 0..<6 {
            var builder = Builder(frames: 3)
            let steps: [(inout Builder) -> Void] = [
                { $0.appendControl() }, { $0.appendDefaultImage([Self.red, Self.red]) },
                { $0.appendControl() }, { $0.appendData([Self.green, Self.green]) },
                { $0.appendControl() }, { $0.appendData([Self.half, Self.half]) },
            ]
            for (index, step) in steps.enumerated() {
                if index == skipped, skipped != 1 { builder.number += 1 }
                step(&builder)
            }
            let count = try builder.animation().frameCount
            #expect(count == [1, 3, 1, 1, 2, 2][skipped], "step \(skipped)")
        }
    }

    @Test("a frame that leaves the canvas ends the animation")
    func outside() throws {
        var builder = Builder(frames: 2)
        builder.appendControl()
        builder.appendDefaultImage([Self.red, Self.red])
        builder.appendControl(left: 1, width: 2)
        builder.appendData([Self.half, Self.half])
        builder.png.appendEnd()
        let image = try PNGCoder().decode(builder.png.data, options: .storedPixels)
        #expect(!image.isAnimated && image.bitmap.bytes == Self.red + Self.red)
    }

    @Test("frames of every colour type and depth equal a still picture of that kind", arguments: PNGKind.all)
    func kinds(kind: PNGKind) throws {
        let still = try PNGCoder().decode(kind.file, options: .storedPixels).bitmap
        let animation = try PNGCoder().makeAnimation(of: Self.doubled(kind.file), options: .storedPixels)
        #expect(animation.frameCount == 2)
        for index in 0..<2 { #expect(try animation.frame(at: index).bytes == still.bytes) }
    }

    @Test("a frame's data with a wrong check sum are damage")
    func checkSum() throws {
        var builder = Builder(frames: 2)
        builder.appendControl()
        builder.appendDefaultImage([Self.red, Self.red])
        builder.appendControl()
        let content = PNGBuilder.bigEndian(builder.number, bytes: 4) + PNGBuilder.zlib([0] + Self.half + Self.half)
        builder.png.append("fdAT", content, damagesCheckSum: true)
        let animation = try builder.animation()
        let error = #expect(throws: WebImageError.self) { try animation.frame(at: 1) }
        #expect(error?.reason.contains("check sum") == true)
    }

    @Test("a frame with a fault behind its last row does not change the frames after it", arguments: [UInt8(0), 1])
    func lateFault(blend: UInt8) throws {
        var builder = Builder(frames: 3)
        builder.appendControl()
        builder.appendDefaultImage([Self.red, Self.red])
        builder.appendControl(blend: blend)
        var pixels = PNGBuilder.zlib([0] + Self.green + Self.green)
        pixels[pixels.count - 1] ^= 1
        builder.png.append("fdAT", PNGBuilder.bigEndian(builder.number, bytes: 4) + pixels)
        builder.number += 1
        builder.appendControl(left: 1, width: 1, blend: 1)
        builder.appendData([Self.half])
        let animation = try builder.animation()
        #expect(throws: WebImageError.self) { try animation.frame(at: 1) }
        #expect(try animation.frame(at: 2).bytes == Self.red + [127, 0, 128, 255])
        let fresh = try builder.animation()
        #expect(try fresh.frame(at: 2).bytes == Self.red + [127, 0, 128, 255])
    }

    /// Chunks about colours, each of which changes the colours of the pixels.
    private static let colorChunks: [(String, [UInt8])] = [
        ("gAMA", PNGBuilder.bigEndian(100_000, bytes: 4)),
        (
            "cHRM",
            [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000].flatMap {
                PNGBuilder.bigEndian($0, bytes: 4)
            }
        ),
        ("cICP", [1, 8, 0, 1]), ("cICP", [9, 16, 0, 1]),
    ]

    @Test("frames have the colours of the still picture", arguments: colorChunks)
    func colors(type: String, content: [UInt8]) throws {
        var png = PNGBuilder()
        png.appendHeader(width: 1, height: 1)
        png.append(type, content)
        png.appendPixels([0, 200, 100, 50, 255])
        png.appendEnd()
        let file = try Self.doubled(png.data)
        for isHDR in [false, true] {
            var options = ImageDecodeOptions()
            options.decodesToHDR = isHDR
            let still = try PNGCoder().decode(png.data, options: options).bitmap
            #expect(isHDR || Array(still.pixel(0, 0)) != [200, 100, 50, 255])
            let animation = try PNGCoder().makeAnimation(of: file, options: options)
            for index in 0..<2 {
                #expect(try animation.frame(at: index).bytes == still.bytes)
                #expect(try animation.frame(at: index).colorSpace == still.colorSpace)
            }
            let parts = try ProgressiveJPEGTests.partials(of: file, chunkSize: 9, options: options, coder: PNGCoder())
            #expect(try #require(parts.first).bitmap.bytes == still.bytes)
        }
        let stored = try PNGCoder().makeAnimation(of: file, options: .storedPixels)
        #expect(try stored.frame(at: 1).pixel(0, 0) == [200, 100, 50, 255])
    }

    /// The same picture as an animation: its pixels as the default image, and as a frame.
    private static func doubled(_ file: Data) throws -> Data {
        var reader = ByteReader(file, format: .png)
        try reader.skip(8)
        var bytes = PNGReader.signature
        var size: [UInt8] = []
        while !reader.isAtEnd {
            let length = try reader.bigEndian(bytes: 4)
            let name = try reader.bytes(count: 4)
            let content = try reader.bytes(count: length)
            try reader.skip(4)
            let type = String(decoding: name, as: UTF8.self)
            if type == "IHDR" { size = Array(content.prefix(8)) }
            let control = size + [UInt8](repeating: 0, count: 8) + [0, 1, 0, 10, 0, 0]
            switch type {
            case "IHDR":
                PNGChunk.append("IHDR", content, to: &bytes)
                PNGChunk.append("acTL", Data([0, 0, 0, 2, 0, 0, 0, 0]), to: &bytes)
            case "IDAT":
                PNGChunk.append("fcTL", Data([0, 0, 0, 0] + control), to: &bytes)
                PNGChunk.append("IDAT", content, to: &bytes)
                PNGChunk.append("fcTL", Data([0, 0, 0, 1] + control), to: &bytes)
                PNGChunk.append("fdAT", Data([0, 0, 0, 2]) + content, to: &bytes)
            case "PLTE": PNGChunk.append("PLTE", content, to: &bytes)
            case "tRNS": PNGChunk.append("tRNS", content, to: &bytes)
            case "IEND": PNGChunk.append("IEND", content, to: &bytes)
            case "gAMA": PNGChunk.append("gAMA", content, to: &bytes)
            case "cHRM": PNGChunk.append("cHRM", content, to: &bytes)
            case "cICP": PNGChunk.append("cICP", content, to: &bytes)
            default: break
            }
        }
        return Data(bytes)
    }
}
