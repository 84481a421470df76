import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Half-precision pixels")
struct FloatPixelTests {
    @Test("every half survives the way through floats, and floats are rounded to the nearest half, ties to even")
    func everyHalf() throws {
        let halves = (0...UInt16.max).filter { Float16(bitPattern: $0).isFinite }
        let pixels = halves.flatMap { [$0, 0, 0, 0x3C00] as [UInt16] }
        let bitmap = try Self.bitmap(pixels, format: .rgba16FloatPremultiplied)
        // A matrix that changes nothing sends each pixel through floats.
        let matrix = try #require(ColorMatrix([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]))
        let result = try bitmap.filtered(by: [.matrix(matrix)])
        let channels = result.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        for (index, half) in halves.enumerated() where half != 0x8000 {
            try #require(channels[index * 4] == half, "\(half)")
        }
        let factors: [Float] = [0.7, 0, 0, 0, 0.01]
        let scaled = try #require(ColorMatrix(factors + [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]))
        let other = try bitmap.filtered(by: [.matrix(scaled)]).withUnsafeBytes {
            Array($0.bindMemory(to: Float16.self))
        }
        for (index, half) in halves.enumerated() {
            let exact = Float(Float16(bitPattern: half)) * 0.7 + 0.01
            try #require(abs(Float(other[index * 4]) - exact) <= abs(exact) / 1024 + 1e-7, "\(half)")
        }
    }

    @Test("halves are converted to integers and back within their precision, and brighter colours are cut off there")
    func conversions() throws {
        let picture = try TestPicture.noise(PixelSize(width: 90, height: 70), format: .rgba8Straight)
        for format in [PixelFormat.rgba16FloatStraight, .rgba16FloatPremultiplied] {
            let float = try picture.converted(to: format)
            #expect(float.format == format && !float.isOpaque)
            let back = try float.converted(to: .rgba8Premultiplied)
            #expect(largestDifference(back.bytes, try picture.converted(to: .rgba8Premultiplied).bytes) <= 1)
        }
        let straight = try picture.converted(to: .rgba16FloatStraight).converted(to: .rgba8Straight)
        #expect(straight.bytes == picture.bytes)
        let bright: [Float16] = [2.5, -1, 0.5, 1]
        let pixel = try Self.bitmap(bright.map(\.bitPattern), format: .rgba16FloatPremultiplied)
        #expect(pixel.isOpaque)
        #expect(try pixel.converted(to: .rgba8Premultiplied).bytes == [255, 0, 128, 255])
    }

    @Test("a large picture, converted in strips, has the pixels of its rows", arguments: PictureKind.allCases)
    func conversionInStrips(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 300, height: 301))
        for format in [PixelFormat.rgba8Premultiplied, .rgba8Straight, .rgba16Premultiplied, .rgba16Straight] {
            let whole = try picture.converted(to: format)
            #expect(whole.format == format && whole.isOpaque == picture.isOpaque)
            for y in [0, 37, 38, 75, 76, 150, 300] {
                let row = try picture.cropped(columns: 0..<300, rows: y..<y + 1).converted(to: format)
                #expect(try whole.cropped(columns: 0..<300, rows: y..<y + 1).bytes == row.bytes, "\(y)")
            }
        }
    }

    @Test("colours brighter than white stay so in a resized, blurred and turned picture")
    func brightColours() throws {
        let pixels = (0..<400).flatMap { _ in [Float16(3), 0.25, 0, 1].map(\.bitPattern) }
        let bitmap = try Self.bitmap(pixels, format: .rgba16FloatPremultiplied, width: 20)
        for result in [
            try bitmap.resized(to: PixelSize(width: 7, height: 5)), try bitmap.blurred(radius: 2),
            try bitmap.rotated(by: .pi / 2), try bitmap.cropped(columns: 2..<9, rows: 1..<4),
            try bitmap.flipped(horizontal: true, vertical: false), try bitmap.filtered(by: [.saturation(1)]),
        ] {
            let channels = result.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
            #expect(abs(Float(channels[0]) - 3) < 0.01 && abs(Float(channels[1]) - 0.25) < 0.01)
            #expect(result.isOpaque)
        }
    }

    @Test("straight pixels of high dynamic range and bright straight halves keep their colours under every operation")
    func straightColours() throws {
        let channels: [UInt16] = (0..<400).flatMap { _ in [60_000, 30_000, 1000, 40_000] as [UInt16] }
        let bytes = channels.withUnsafeBytes { Array($0) }
        let size = PixelSize(width: 20, height: 20)
        let bright = try Bitmap(size: size, format: .rgba16Straight, colorSpace: .bt2100PQ, pixels: bytes)
        let halves = (0..<400).flatMap { _ in [Float16(2.5), 0.25, 0, 0.5].map(\.bitPattern) }
        let float = try Self.bitmap(halves, format: .rgba16FloatStraight, width: 20)
        let operations: [(Bitmap) throws -> Bitmap] = [
            { try $0.resized(to: PixelSize(width: 9, height: 9)) }, { try $0.blurred(radius: 3) },
            { try $0.rotated(by: 0.3, fitsSize: false) },
        ]
        for operation in operations {
            let result = try operation(bright)
            #expect(result.colorSpace == .bt2100PQ && result.format == .rgba16Straight)
            let middle = (result.size.height / 2 * result.size.width + result.size.width / 2) * 4
            let numbers = result.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self))[middle..<middle + 4] }
            #expect(zip(numbers, channels).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(numbers)")
            let floats = try operation(float).withUnsafeBytes { Array($0.bindMemory(to: Float16.self))[middle] }
            #expect(abs(floats - 2.5) < 0.01)
        }
    }

    @Test("encoders take halves as integers of 16 bits", arguments: [ImageFormat.png, .jpeg, .webP])
    func encoders(format: ImageFormat) throws {
        let picture = try TestPicture.smooth(PixelSize(width: 40, height: 30))
        let float = Image(bitmap: try picture.converted(to: .rgba16FloatPremultiplied))
        let deep = Image(bitmap: try picture.converted(to: .rgba16Premultiplied))
        let files = try [float, deep].map {
            try ImageCodersManager.shared.encode($0, to: format, options: ImageEncodeOptions())
        }
        let decoded = try files.map {
            try ImageCodersManager.shared.decode($0, options: ImageDecodeOptions()).bitmap.bytes
        }
        #expect(largestDifference(decoded[0], decoded[1]) <= 1)
    }

    private static func bitmap(_ channels: [UInt16], format: PixelFormat, width: Int? = nil) throws -> Bitmap {
        let bytes = channels.withUnsafeBytes { Array($0) }
        let count = channels.count / 4
        return try Bitmap(
            size: PixelSize(width: width ?? count, height: count / (width ?? count)), format: format, pixels: bytes)
    }
}
