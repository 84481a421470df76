import WebImageCore

/// The steps for each pixel from a decoder to the result, decided once for a picture.
package struct PixelPlan: Sendable {
    /// The depth of the decoder's rows.
    let sourceDepth: PixelDepth
    /// The depth for resampling and conversion: 16 bits for colour conversions that have or need them.
    package let workingDepth: PixelDepth
    /// The format of the result.
    let outputFormat: PixelFormat
    let colorSpace: ColorSpace
    /// The colour conversion; nil for none.
    private(set) var conversion: ColorConversion?

    package init(source: PixelSource, options: ImageDecodeOptions) {
        let target = Self.target(of: source, options)
        let format = target.isHighDynamicRange ? options.pixelFormat.with(.sixteen) : options.pixelFormat.integers
        self.init(source: source, to: format, in: target)
    }

    /// The plan for a result of integers.
    init(source: PixelSource, to format: PixelFormat, in target: ColorSpace) {
        outputFormat = format
        colorSpace = target
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

    private static func target(of source: PixelSource, _ options: ImageDecodeOptions) -> ColorSpace {
        guard options.convertsToSRGB else { return .asStored }
        guard let colors = source.colors else { return .sRGB }
        if options.decodesToHDR, let target = colors.highDynamicRange { return target }
        // Ink is never wide, whatever its profile says.
        let keepsWideGamut = options.decodesToWideGamut && source.layout != .invertedCMYK && colors.areWide
        return keepsWideGamut ? .displayP3 : .sRGB
    }

    private static func conversion(
        _ source: PixelSource, as layout: PixelSource.Layout, to target: ColorSpace
    ) -> ColorConversion? {
        guard target != .asStored, let colors = source.colors else { return nil }
        return ColorTransformCache.shared.conversion(of: colors, layout: layout, to: target)
    }
}

extension SourceColors {
    /// The colours of a bitmap that keeps high dynamic range; nil for standard range.
    fileprivate var highDynamicRange: ColorSpace? {
        guard case .coded(let colors) = self else { return nil }
        return switch colors.transfer {
        case .perceptualQuantizer: .bt2100PQ
        case .hybridLogGamma: .bt2100HLG
        case .sRGB, .linear, .gamma: nil
        }
    }
}
