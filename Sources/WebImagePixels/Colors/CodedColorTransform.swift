import CPixels
import Glibc
import WebImageCore

/// A colour conversion between coded colours, by tables and a matrix. Any thread.
final class CodedColorTransform: Sendable {
    /// The linear light of each of the 65,536 codes.
    private let light: [Float]
    private let matrix: [Float]
    /// The result's codes over linear light.
    private let code: [Float]
    private let compression: Compression?

    /// The tone mapping from high to standard dynamic range.
    fileprivate struct Compression {
        let luminance: [Float]
        let gain: [Float]
        let tone: [Float]
    }

    /// nil when nothing changes, and when the primaries are invalid.
    init?(from source: CodedColors, to target: ColorSpace) {
        let result = target.codedColors
        guard let matrix = source.primaries.matrix(to: result.primaries) else { return nil }
        guard source.primaries != result.primaries || source.transfer != result.transfer else { return nil }
        light = (0..<65_536).map { Float(source.transfer.light(Double($0) / 65_535)) }
        self.matrix = matrix.values.map { Float($0) }
        code = Self.curve { result.transfer.code($0) * 65_535 }
        let compresses = source.transfer.isHighDynamicRange && !target.isHighDynamicRange
        compression = compresses ? Compression(source) : nil
    }

    /// Converts straight pixels of 16 bits a channel in place; alpha stays.
    func apply(to row: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        if let compression {
            webimage_map_tones(
                row, pixelCount, light, compression.luminance, compression.gain, compression.tone, matrix, code)
        } else {
            webimage_convert_colors(row, pixelCount, light, matrix, code)
        }
    }

    /// A curve over linear light in the kernels' form. The last point is repeated, for light of exactly 1.
    fileprivate static func curve(_ value: (Double) -> Double) -> [Float] {
        let steps = Int(WEBIMAGE_CURVE_STEPS)
        return (0...steps + 1).map { Float(value(pow(Double(min($0, steps)) / Double(steps), 4))) }
    }
}

extension CodedColorTransform.Compression {
    fileprivate init(_ source: CodedColors) {
        luminance = source.primaries.luminance.map { Float($0) }
        let isScene = source.transfer == .hybridLogGamma
        // BT.2100-2, table 5: scene light times its luminance to the power of (system gamma - 1).
        gain = CodedColorTransform.curve { isScene ? pow($0, HybridLogGamma.systemGamma - 1) : 1 }
        let full = isScene ? HybridLogGamma.peakLuminance : PerceptualQuantizer.peakLuminance
        let peak = isScene ? full : min(full, source.peakLuminance ?? ToneMapping.usualPeakLuminance)
        let mapping = ToneMapping(peakLuminance: peak)
        tone = CodedColorTransform.curve { light in
            // Near black, uses the ratio at the smallest distinguishable light.
            let luminance = max(light * full, 1e-6)
            return mapping.luminance(luminance) / luminance * full / ToneMapping.white
        }
    }
}
