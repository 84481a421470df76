import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("More than 8 bits in AVIF, HEIC and JPEG XL", .needsCorpus)
struct DeepDecodingTests {
    private static let files = [
        "avif/link-u/fox.profile2.12bpc.yuv444.avif",
        "heic/pillow_heif/RGBA_10__128x128.heif", "heic/pillow_heif/RGBA_12__128x128.heif",
        "jxl/conformance/upsampling/upsampling.jxl",
    ]

    @Test("16 bits give more than 8, and the same picture", arguments: files)
    func depth(path: String) throws {
        let manager = ImageCodersManager(coders: CoderCase.all.map(\.coder))
        let data = Corpus.data(at: path)
        var options = ImageDecodeOptions.storedPixels
        let narrow = try manager.decode(data, options: options).bitmap
        options.pixelFormat = .rgba16Straight
        let wide = try manager.decode(data, options: options).bitmap
        #expect(wide.format == .rgba16Straight && wide.size == narrow.size)
        let values = wide.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let rounded = values.map { UInt8((Int($0) + 128) / 257) }
        #expect(largestDifference(rounded, narrow.bytes) <= 2)
        if try #require(try manager.properties(of: data, isComplete: true)).bitsPerChannel > 8 {
            #expect(Set(values).count > 256)
        }
    }

    /// In BT.2020 and PQ, with the peak luminance in the file; one has none.
    private static let brightFiles = [
        ("avif/libavif/seine_hdr_rec2020.avif", 703.0), ("heic/sdwebimage/TestHDR.heic", 1000),
        ("jxl/sdwebimage/TestHDR.jxl", 2182),
    ]

    @Test("a picture of high dynamic range is mapped to sRGB, with the brightness of BT.2390", arguments: brightFiles)
    func highDynamicRange(path: String, peak: Double) throws {
        let manager = ImageCodersManager(coders: CoderCase.all.map(\.coder))
        let data = Corpus.data(at: path)
        var options = ImageDecodeOptions.storedPixels
        options.pixelFormat = .rgba16Straight
        let codes = try manager.decode(data, options: options).bitmap.withUnsafeBytes {
            Array($0.bindMemory(to: UInt16.self))
        }
        let bitmap = try manager.decode(data, options: ImageDecodeOptions()).bitmap
        #expect(bitmap.format == .rgba8Premultiplied && bitmap.colorSpace == .sRGB)
        let bytes = bitmap.bytes
        let mapping = SlowToneMapping(peak: peak)
        var comparedCount = 0
        for start in stride(from: 0, to: codes.count, by: 4 * 37) {
            let code = codes[start..<start + 3].map { Double($0) / 65_535 }
            guard let expected = mapping.sRGB(code) else { continue }
            comparedCount += 1
            let difference = zip(bytes[start..<start + 3], expected).map { abs(Double($0) - $1) }.max() ?? 0
            #expect(difference <= 1.5, "\(code) became \(bytes[start..<start + 3]) instead of \(expected)")
        }
        #expect(comparedCount > codes.count / 4 / 37 / 2)
    }

    @Test(
        "DOP-9 on request a picture keeps its high dynamic range; converted later, it becomes the same",
        arguments: brightFiles)
    func keptRange(path: String, peak: Double) throws {
        let manager = ImageCodersManager(coders: CoderCase.all.map(\.coder))
        var options = ImageDecodeOptions()
        options.decodesToHDR = true
        let bitmap = try manager.decode(Corpus.data(at: path), options: options).bitmap
        #expect(bitmap.colorSpace == .bt2100PQ && bitmap.format == .rgba16Premultiplied)
        let stored = try manager.decode(Corpus.data(at: path), options: .storedPixels).bitmap
        let kept = bitmap.withUnsafeBytes { $0.bindMemory(to: UInt16.self).map { UInt8((UInt32($0) + 128) / 257) } }
        #expect(largestDifference(kept, stored.bytes) <= 1)
    }
}

/// The tone mapping of ITU-R BT.2390-11 §5.4.1, pixel by pixel with the recommendations' formulas and numbers.
private struct SlowToneMapping {
    let peak: Double

    /// In levels of 255; nil for colours outside of sRGB.
    func sRGB(_ code: [Double]) -> [Double]? {
        let light = code.map(Self.luminance)
        let brightest = max(light.max() ?? 0, 1e-9)
        let scale = mapped(brightest) / brightest / 203
        let (r, g, b) = (light[0] * scale, light[1] * scale, light[2] * scale)
        // BT.2087-0, table 4, inverted.
        let linear = [
            1.660491 * r - 0.587641 * g - 0.072850 * b, -0.124550 * r + 1.132900 * g - 0.008349 * b,
            -0.018151 * r - 0.100579 * g + 1.118730 * b,
        ]
        guard linear.allSatisfy({ 0...1 ~= $0 }) else { return nil }
        return linear.map { $0 <= 0.0031308 ? $0 * 12.92 * 255 : (1.055 * pow($0, 1 / 2.4) - 0.055) * 255 }
    }

    private func mapped(_ luminance: Double) -> Double {
        let top = Self.code(peak)
        let (highest, value) = (Self.code(203) / top, min(Self.code(luminance) / top, 1))
        let knee = 1.5 * highest - 0.5
        guard value >= knee else { return luminance }
        let t = (value - knee) / (1 - knee)
        let curve =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (-2 * t * t * t + 3 * t * t) * highest
        return Self.luminance(curve * top)
    }

    /// SMPTE ST 2084.
    private static func luminance(_ code: Double) -> Double {
        let power = pow(code, 32 / 2523.0)
        return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 16_384 / 2610.0)
    }

    private static func code(_ luminance: Double) -> Double {
        let power = pow(luminance / 10_000, 2610 / 16_384.0)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 2523 / 32.0)
    }
}
