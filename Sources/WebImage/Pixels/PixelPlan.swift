/// The steps for each pixel from a decoder to the result, decided once for a picture.
struct PixelPlan: Sendable {
    /// The depth of the decoder's rows.
    let sourceDepth: PixelDepth
    /// The depth for resampling and conversion: 16 bits for colour conversions that have or need them.
    let workingDepth: PixelDepth
    /// The format of the result.
    let outputFormat: PixelFormat
    let colorSpace: ColorSpace
    /// The colour conversion; nil for none.
    private(set) var conversion: ColorConversion?

    init(source: PixelSource, options: ImageDecodeOptions) {
        let target = Self.target(of: source.colors, options)
        colorSpace = target
        outputFormat = target.isHighDynamicRange ? options.pixelFormat.with(.sixteen) : options.pixelFormat
        sourceDepth = source.layout == .rgba16 ? .sixteen : .eight
        guard source.layout != .invertedCMYK else {
            workingDepth = .eight
            conversion = Self.conversion(source, as: .invertedCMYK, to: target)
            return
        }
        // Curves and matrices have a 16-bit kernel only; profiles have one for each depth.
        let isConvertedDeep =
            sourceDepth == .sixteen || outputFormat.depth == .sixteen || source.colors?.profile == nil
        conversion = Self.conversion(source, as: isConvertedDeep ? .rgba16 : .rgba, to: target)
        workingDepth = conversion == nil ? outputFormat.depth : isConvertedDeep ? .sixteen : .eight
    }

    /// The same plan for rows whose colours are converted already.
    var withoutConversion: PixelPlan {
        var plan = self
        plan.conversion = nil
        return plan
    }

    /// Whether a row stays in one place from the decoder to the result.
    var isInPlace: Bool { sourceDepth == workingDepth && workingDepth == outputFormat.depth }

    private static func target(of colors: SourceColors?, _ options: ImageDecodeOptions) -> ColorSpace {
        guard options.convertsToSRGB else { return .asStored }
        guard options.decodesToHDR, case .coded(let colors) = colors else { return .sRGB }
        switch colors.transfer {
        case .perceptualQuantizer: return .bt2100PQ
        case .hybridLogGamma: return .bt2100HLG
        case .sRGB, .linear, .gamma: return .sRGB
        }
    }

    private static func conversion(
        _ source: PixelSource, as layout: PixelSource.Layout, to target: ColorSpace
    ) -> ColorConversion? {
        guard target != .asStored, let colors = source.colors else { return nil }
        return ColorTransformCache.shared.conversion(of: colors, layout: layout, to: target)
    }
}
