import CPixels

/// A shadow in a row of pixels: its darkness is a product of ramps, each of which counts as 0 below and as 1 above.
struct PageShadow {
    var darkness: Double
    var ramps: (Ramp, Ramp, Ramp, Ramp)

    /// The columns within some that are not all light.
    func columns(in columns: Range<Int>) -> Range<Int> {
        func part(_ ramp: Ramp, _ columns: Range<Int>) -> Range<Int> {
            ramp.columns(above: 0, upTo: .infinity, in: columns)
        }
        return part(ramps.0, part(ramps.1, part(ramps.2, part(ramps.3, columns))))
    }

    /// The shadow from a column on.
    func from(_ column: Int) -> webimage_shadow {
        func part(_ ramp: Ramp) -> webimage_ramp { webimage_ramp(start: Float(ramp[column]), step: Float(ramp.step)) }
        return webimage_shadow(
            darkness: Float(darkness), ramps: (part(ramps.0), part(ramps.1), part(ramps.2), part(ramps.3)))
    }
}
