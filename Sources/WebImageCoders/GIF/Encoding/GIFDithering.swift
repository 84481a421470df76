/// Converts rows of pixels to indices with error diffusion, in alternating direction. Areas that are not drawn neither
/// give nor receive errors.
struct GIFDithering {
    /// The share of the error that is diffused, as a sixteenth: all of it makes flat areas exact and busy ones noisy.
    private let share: Float
    /// Errors of this row and the next, three channels a pixel, with one more pixel on either side.
    private var current: [Float]
    private var next: [Float]

    init(width: Int, strength: Double) {
        share = Float(min(max(strength, 0), 1)) / 16
        current = [Float](repeating: 0, count: (width + 2) * 3)
        next = current
    }

    /// The indices of the next row; `pixels` has 0 where nothing is drawn, which becomes `transparentIndex`.
    mutating func indices(
        of pixels: [UInt32], isBackwards: Bool, palette: inout ColorPalette, transparentIndex: UInt8
    ) -> [UInt8] {
        (current, next) = (next, current)
        return palette.indices(
            of: pixels, isBackwards: isBackwards, share: share, current: &current, next: &next,
            transparentIndex: transparentIndex)
    }
}
