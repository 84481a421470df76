import WebImageCore

/// A change of colours that treats all pixels alike, in place of Core Image's filters. Channels are straight, from 0 to 1,
/// in sRGB's numbers; results are cut off there. Alpha stays, except by a matrix.
///
/// ```swift
/// let warm = image.filtered(by: [.sepia(0.4), .contrast(1.1)])
/// ```
public struct ColorFilter: Sendable, Hashable {
    let step: ColorStep
    /// The name and all parameters.
    let key: String

    private init(_ step: ColorStep, _ name: String, _ parameters: Double...) {
        self.step = step
        key = ([name] + parameters.map(\.fixedPointText)).joined(separator: ",")
    }

    private init(_ step: ColorStep, key: String) {
        self.step = step
        self.key = key
    }

    private static func matrix(_ matrix: ColorMatrix, _ name: String, _ parameter: Double) -> ColorFilter {
        // A parameter that is infinite or NaN changes nothing.
        let isFinite = matrix.elements.allSatisfy(\.isFinite)
        return ColorFilter(.matrix(isFinite ? matrix : .saturation(1)), name, parameter)
    }
}

extension ColorFilter {
    /// The negative, 255 minus each number, as CSS and editors make it; a share of it for less than 1.
    ///
    /// - Parameter inLinearLight: Whether light is inverted in place of sRGB's numbers, as Core Image does it. False by
    ///   default.
    public static func invert(_ amount: Double = 1, inLinearLight: Bool = false) -> ColorFilter {
        let share = amount.clamped(to: 0...1, orElse: 0)
        guard inLinearLight else { return .matrix(.inversion(share), "invert", amount) }
        return ColorFilter(.curve(.inversion(share)), key: "invert,\(amount.fixedPointText),light")
    }

    /// Gray; a share of it for less than 1.
    public static func mono(_ amount: Double = 1) -> ColorFilter {
        .matrix(.saturation(1 - amount.clamped(to: 0...1, orElse: 0)), "mono", amount)
    }

    /// Brown as an old photograph; a share of it for less than 1.
    public static func sepia(_ amount: Double = 1) -> ColorFilter {
        .matrix(.sepia(amount.clamped(to: 0...1, orElse: 0)), "sepia", amount)
    }

    /// Adds to all channels: −1 to 1, 0 changes nothing.
    public static func brightness(_ amount: Double) -> ColorFilter {
        .matrix(ColorMatrix(factor: 1, plus: amount), "brightness", amount)
    }

    /// Moves channels away from middle gray by a factor, from 0; 1 changes nothing.
    public static func contrast(_ factor: Double) -> ColorFilter {
        .matrix(.contrast(max(0, factor)), "contrast", factor)
    }

    /// Moves colours away from gray by a factor: 0 is gray, 1 changes nothing.
    public static func saturation(_ factor: Double) -> ColorFilter {
        .matrix(.saturation(max(0, factor)), "saturation", factor)
    }

    /// Turns hues by an angle in radians.
    public static func hue(_ angle: Double) -> ColorFilter { .matrix(.hue(angle), "hue", angle) }

    /// Multiplies light by 2 to the power of `stops`; 0 changes nothing.
    public static func exposure(_ stops: Double) -> ColorFilter {
        ColorFilter(.curve(.exposure(stops.clamped(to: -64...64, orElse: 0))), "exposure", stops)
    }

    /// Raises channels to a power of more than 0: below 1 brightens, 1 changes nothing.
    public static func gamma(_ power: Double) -> ColorFilter {
        ColorFilter(.curve(.gamma(power.clamped(to: 1e-3...1e3, orElse: 1))), "gamma", power)
    }

    /// Moves muted colours away from gray, and saturated ones less: −1 to 1, 0 changes nothing.
    public static func vibrance(_ amount: Double) -> ColorFilter {
        ColorFilter(.vibrance(Float(amount.clamped(to: -1...1, orElse: 0))), "vibrance", amount)
    }

    /// Reduces each channel to a number of levels, 2 to 256.
    public static func posterize(levels: Int) -> ColorFilter {
        ColorFilter(.curve(.posterize(min(max(2, levels), 256))), key: "posterize,\(levels)")
    }

    /// Darkens corners.
    ///
    /// - Parameters:
    ///   - intensity: 0 to 1: that much at the corners.
    ///   - radius: Where darkening begins, from 0 at the centre to 1 at the corners.
    public static func vignette(intensity: Double = 0.5, radius: Double = 0.3) -> ColorFilter {
        let step = ColorStep.vignette(
            inner: Float(radius.clamped(to: 0...1, orElse: 1)),
            intensity: Float(intensity.clamped(to: 0...1, orElse: 0)))
        return ColorFilter(step, "vignette", intensity, radius)
    }

    /// A linear map of colours and alpha.
    public static func matrix(_ matrix: ColorMatrix) -> ColorFilter {
        ColorFilter(
            .matrix(matrix), key: "matrix," + matrix.elements.map { Double($0).description }.joined(separator: ","))
    }

    /// A cube of colours, with tetrahedral interpolation between them.
    public static func lookupTable(_ table: ColorLookupTable) -> ColorFilter {
        ColorFilter(.lookupTable(table), key: "lookupTable,\(table.side),\(String(table.fingerprint, radix: 16))")
    }
}
