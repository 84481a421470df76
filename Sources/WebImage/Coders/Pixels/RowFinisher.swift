import CPixels

/// The last step of a row of pixels: to the colours and the kind of alpha that the options ask for, in place.
struct RowFinisher {
    private let width: Int
    private let source: PixelSource
    private let isPremultiplied: Bool
    private let wantsPremultiplied: Bool
    private let transform: ColorTransform?

    /// - Parameter isPremultiplied: Whether rows come premultiplied, as those of the resampler do.
    init(width: Int, source: PixelSource, isPremultiplied: Bool, options: ImageDecodeOptions) {
        self.width = width
        self.source = source
        self.isPremultiplied = isPremultiplied
        wantsPremultiplied = options.pixelFormat == .rgba8Premultiplied
        transform = options.convertsToSRGB ? source.profile?.transform(from: source.layout) : nil
    }

    /// Finishes one row; whether all of it is opaque.
    func finish(_ row: UnsafeMutablePointer<UInt8>) -> Bool {
        guard source.hasAlpha else {
            convertOpaque(row)
            return true
        }
        if webimage_is_opaque(row, width) {
            transform?.apply(to: row, pixelCount: width)
            return true
        }
        convertTranslucent(row)
        return false
    }

    private func convertOpaque(_ row: UnsafeMutablePointer<UInt8>) {
        transform?.apply(to: row, pixelCount: width)
        guard source.layout == .invertedCMYK else { return }
        if transform == nil {
            webimage_inverted_cmyk_to_rgba(row, width)
        } else {
            // The transform leaves the fourth byte, which was black ink.
            webimage_set_opaque(row, width)
        }
    }

    private func convertTranslucent(_ row: UnsafeMutablePointer<UInt8>) {
        var isPremultiplied = isPremultiplied
        if isPremultiplied && (transform != nil || !wantsPremultiplied) {
            webimage_unpremultiply(row, width)
            isPremultiplied = false
        }
        transform?.apply(to: row, pixelCount: width)
        if wantsPremultiplied && !isPremultiplied { webimage_premultiply(row, width) }
    }

    /// What must happen to translucent pixels before they are averaged: colours count as much as they are seen.
    static func premultiply(_ row: UnsafeMutablePointer<UInt8>, width: Int) {
        webimage_premultiply(row, width)
    }
}
