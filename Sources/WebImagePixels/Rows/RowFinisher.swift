import CPixels
import WebImageCore

/// The last step for a row of pixels: converts colours and alpha as the options require, in place.
struct RowFinisher {
    private let width: Int
    private let source: PixelSource
    private let depth: PixelDepth
    private let isPremultiplied: Bool
    private let wantsPremultiplied: Bool
    private let conversion: ColorConversion?

    /// - Parameter isPremultiplied: Whether rows arrive premultiplied, as those of the resampler do.
    init(width: Int, source: PixelSource, isPremultiplied: Bool, plan: PixelPlan) {
        self.width = width
        self.source = source
        self.isPremultiplied = isPremultiplied
        depth = plan.workingDepth
        wantsPremultiplied = plan.outputFormat.isPremultiplied
        conversion = plan.conversion
    }

    /// Finishes one row and returns whether all of it is opaque.
    func finish(_ row: UnsafeMutablePointer<UInt8>) -> Bool {
        guard source.hasAlpha else {
            convertOpaque(row)
            return true
        }
        if depth.isOpaque(row, count: width) {
            conversion?.apply(to: row, pixelCount: width)
            return true
        }
        convertTranslucent(row)
        return false
    }

    private func convertOpaque(_ row: UnsafeMutablePointer<UInt8>) {
        conversion?.apply(to: row, pixelCount: width)
        guard source.layout == .invertedCMYK else { return }
        if conversion == nil {
            webimage_inverted_cmyk_to_rgba(row, width)
        } else {
            // The transform leaves the fourth byte, which was black ink.
            webimage_set_opaque(row, width)
        }
    }

    private func convertTranslucent(_ row: UnsafeMutablePointer<UInt8>) {
        var isPremultiplied = isPremultiplied
        if isPremultiplied && (conversion != nil || !wantsPremultiplied) {
            depth.unpremultiply(row, count: width)
            isPremultiplied = false
        }
        conversion?.apply(to: row, pixelCount: width)
        if wantsPremultiplied && !isPremultiplied { depth.premultiply(row, count: width) }
    }
}
