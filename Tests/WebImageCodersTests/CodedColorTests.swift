import Glibc
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImagePixels

@Suite("Colours given by numbers")
struct CodedColorTests {
    /// Converts one colour of 0 to 1 in the pipeline, by default to sRGB of 16 bits.
    static func convert(
        _ color: [Double], _ colors: CodedColors, keepsRange: Bool = false, format: PixelFormat = .rgba16Straight
    ) throws -> (bitmap: Bitmap, color: [Double]) {
        var options = DeepPixelTests.options(format)
        options.decodesToHDR = keepsRange
        let channels = color.map { UInt16(($0 * 65_535).rounded()) } + [65_535]
        let bitmap = try DeepPixelTests.assemble(
            channels, size: PixelSize(width: 1, height: 1), isOpaque: true, colors: colors, options: options)
        let depth = bitmap.format.depth
        return (
            bitmap,
            depth == .eight
                ? bitmap.bytes.prefix(3).map { Double($0) / 255 }
                : bitmap.channels.prefix(3).map { Double($0) / 65_535 }
        )
    }

    static func expectNear(_ first: [Double], _ second: [Double], within tolerance: Double) {
        #expect(zip(first, second).allSatisfy { abs($0 - $1) <= tolerance }, "\(first) is not \(second)")
    }

    @Test(
        "curves lead to light and back",
        arguments: [
            TransferFunction.sRGB, .linear, .gamma(2.2), .gamma(0.45), .perceptualQuantizer, .hybridLogGamma,
        ])
    func inverse(transfer: TransferFunction) {
        for step in 0...200 {
            let code = Double(step) / 200
            #expect(abs(transfer.code(transfer.light(code)) - code) < 1e-6)
        }
        #expect(abs(transfer.light(1) - 1) < 1e-6)
    }

    @Test("curves pass through the points that their standards give")
    func knownPoints() {
        // BT.2408-7, table 1: 203 cd/m² is 58 % in PQ, and reference white is 75 % in HLG; 18 % gray is 38 %.
        #expect(abs(TransferFunction.perceptualQuantizer.code(203 / 10_000) - 0.5807) < 0.0005)
        #expect(abs(TransferFunction.perceptualQuantizer.code(1000 / 10_000) - 0.7518) < 0.0005)
        let white = TransferFunction.hybridLogGamma.light(0.75)
        #expect(abs(1000 * pow(white, 1.2) - 203) < 1)
        #expect(abs(TransferFunction.sRGB.light(0.5) - 0.21404) < 0.00001)
    }

    @Test("linear and gamma pictures become sRGB, to a part in 20,000")
    func gammas() throws {
        for step in 0...50 {
            let value = Double(step) / 50
            let linear = try Self.convert([value, value, value], CodedColors(primaries: .bt709, transfer: .linear))
                .color
            let code = (value * 65_535).rounded() / 65_535
            Self.expectNear(linear, Array(repeating: TransferFunction.sRGB.code(code), count: 3), within: 5e-5)
            let dark = try Self.convert([value, 0, 0], CodedColors(primaries: .bt709, transfer: .gamma(1.8))).color
            Self.expectNear(dark, [TransferFunction.sRGB.code(pow(code, 1.8)), 0, 0], within: 5e-5)
        }
    }

    @Test("wide primaries become sRGB's, as the matrices of their standards say")
    func primaries() throws {
        // BT.2087-0 has the matrix from BT.2020 to BT.709.
        let matrix = try #require(ColorPrimaries.bt2020.matrix(to: .bt709)).values
        let expected = [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187]
        #expect(zip(matrix, expected).allSatisfy { abs($0 - $1) < 0.0001 })
        let colors = CodedColors(primaries: .displayP3, transfer: .sRGB)
        for gray in [0.0, 0.3, 1] {
            Self.expectNear(try Self.convert([gray, gray, gray], colors).color, [gray, gray, gray], within: 5e-5)
        }
        Self.expectNear(
            try Self.convert([200, 100, 50].map { $0 / 255 }, colors).color, [215, 93, 31].map { $0 / 255 },
            within: 0.006)
        // A colour outside of sRGB is clamped.
        Self.expectNear(try Self.convert([0, 1, 0], colors).color, [0, 1, 0], within: 5e-5)
    }

    @Test("another white becomes sRGB's white")
    func white() throws {
        let theater = try #require(ColorPrimaries(codePoint: 11))
        let result = try Self.convert([1, 1, 1], CodedColors(primaries: theater, transfer: .sRGB)).color
        Self.expectNear(result, [1, 1, 1], within: 2e-4)
    }

    @Test("sRGB needs no conversion, and its numbers count as such", arguments: [1, 2, 6, 13, 14, 15])
    func nothingToDo(transfer: Int) throws {
        let colors = try #require(CodedColors(primaries: 1, transfer: transfer))
        #expect(CodedColorTransform(from: colors, to: .sRGB) == nil)
    }

    @Test("unused numbers are no colours", arguments: [(0, 13), (10, 13), (1, 0), (1, 17), (300, 13)])
    func unknown(primaries: Int, transfer: Int) {
        #expect(CodedColors(primaries: primaries, transfer: transfer) == nil)
    }

    @Test("primaries without a triangle are reported, and convert nothing")
    func nonsense() {
        let point = ColorPrimaries.Chromaticity(0.3, 0.3)
        let flat = ColorPrimaries(red: point, green: point, blue: point, white: point)
        #expect(!flat.isValid)
        #expect(CodedColorTransform(from: CodedColors(primaries: flat, transfer: .sRGB), to: .sRGB) == nil)
        let outside = ColorPrimaries(
            red: .init(0.64, 0.33), green: .init(0.3, 0.6), blue: .init(0.15, 0.06), white: .init(0.7, 0.1))
        #expect(!outside.isValid)
        #expect(ColorPrimaries.bt709.isValid && ColorPrimaries.bt2020.isValid)
    }

    // MARK: - High dynamic range

    static let quantized = CodedColors(primaries: .bt2020, transfer: .perceptualQuantizer)
    static let hybrid = CodedColors(primaries: .bt2020, transfer: .hybridLogGamma)

    @Test("DOP-9 tone mapping keeps dark colours, and brings the brightest to white")
    func toneMapping() {
        let mapping = ToneMapping(peakLuminance: 1000)
        for luminance in [0.0, 0.01, 1, 50, 85] { #expect(abs(mapping.luminance(luminance) - luminance) < 1e-4) }
        #expect(abs(mapping.luminance(1000) - 203) < 1e-6)
        #expect(abs(mapping.luminance(5000) - 203) < 1e-6)
        // Diffuse white becomes slightly darker than the display's white, to leave room for highlights.
        #expect((140...180).contains(mapping.luminance(203)))
        let steps = (0...1000).map { mapping.luminance(Double($0)) }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ToneMapping(peakLuminance: 150).luminance(100) == 100)
    }

    @Test("DOP-9 high dynamic range becomes sRGB: grays stay gray, the peak is white", arguments: [quantized, hybrid])
    func standardRange(colors: CodedColors) throws {
        var last = -1.0
        for step in 0...20 {
            let code = Double(step) / 20
            let (bitmap, color) = try Self.convert([code, code, code], colors)
            #expect(bitmap.colorSpace == .sRGB && bitmap.format == .rgba16Straight)
            #expect(color.max()! - color.min()! < 2e-4)
            #expect(color[0] >= last)
            last = color[0]
        }
        #expect(last > 0.9999)
        let reference = colors == Self.quantized ? 0.5807 : 0.75
        let paper = try Self.convert([reference, reference, reference], colors).color[0]
        #expect((0.85...0.93).contains(paper))
    }

    @Test("a peak that the file states is used")
    func statedPeak() throws {
        var colors = Self.quantized
        colors.peakLuminance = 4000
        let code = TransferFunction.perceptualQuantizer.code(1000 / 10_000)
        let dimmer = try Self.convert([code, code, code], colors).color[0]
        let brighter = try Self.convert([code, code, code], Self.quantized).color[0]
        #expect(dimmer < brighter - 0.02 && brighter > 0.9999)
    }

    @Test("colours outside of sRGB keep their luminance and lean towards gray")
    func gamut() throws {
        let green = try Self.convert([0.2, 0.55, 0.2], Self.quantized).color
        #expect(green[1] > green[0] && green[1] > green[2])
        #expect(green.allSatisfy { (0...1).contains($0) })
    }

    @Test(
        "DOP-9 MET-5 HLP-4 on request, high dynamic range stays just as it was",
        arguments: [quantized, hybrid])
    func kept(colors: CodedColors) throws {
        let (bitmap, color) = try Self.convert([0.2, 0.55, 0.7], colors, keepsRange: true, format: .rgba8Premultiplied)
        #expect(bitmap.format == .rgba16Premultiplied && bitmap.colorSpace.isHighDynamicRange)
        #expect(bitmap.colorSpace == (colors == Self.quantized ? .bt2100PQ : .bt2100HLG))
        #expect(Image(bitmap: bitmap).isHighDynamicRange)
        Self.expectNear(color, [0.2, 0.55, 0.7], within: 1e-5)
        // Later conversion to standard range gives the same result.
        let later = try bitmap.converted(to: .rgba16Straight)
        #expect(later.colorSpace == .sRGB && !Image(bitmap: later).isHighDynamicRange)
        let now = try Self.convert([0.2, 0.55, 0.7], colors).bitmap
        #expect(later.channels == now.channels)
        #expect(try bitmap.inEightBits().format == .rgba8Premultiplied)
    }

    @Test("DOP-9 a request for high dynamic range changes nothing of other pictures")
    func standardStays() throws {
        let colors = CodedColors(primaries: .displayP3, transfer: .sRGB)
        let (bitmap, _) = try Self.convert([0.2, 0.5, 0.7], colors, keepsRange: true, format: .rgba8Premultiplied)
        #expect(bitmap.format == .rgba8Premultiplied && bitmap.colorSpace == .sRGB)
    }

    @Test("other primaries with a high range become those of BT.2020")
    func otherPrimaries() throws {
        let colors = CodedColors(primaries: .displayP3, transfer: .perceptualQuantizer)
        let (bitmap, color) = try Self.convert([0.5, 0.5, 0.5], colors, keepsRange: true)
        #expect(bitmap.colorSpace == .bt2100PQ)
        Self.expectNear(color, [0.5, 0.5, 0.5], within: 1e-3)
    }
}
