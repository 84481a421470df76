import Glibc
import WebImageCore

/// The canvas of a rotated picture, and the way from a place in it back to the picture.
///
/// Angles are in radians, counter-clockwise as seen, about the picture's centre, which stays the canvas's centre.
struct RotationGeometry: Sendable, Hashable {
    /// The size of the result.
    let canvas: PixelSize
    private let source: PixelSize
    private let sine: Double
    private let cosine: Double

    /// Nil for an angle that is no number, or a canvas with more pixels than the default
    /// ``ImageLimits/maximumPixelCount``.
    init?(source: PixelSize, angle: Double, fitsSize: Bool) {
        guard angle.isFinite else { return nil }
        let turn = angle.remainder(dividingBy: 2 * .pi)
        (sine, cosine) = (sin(turn), cos(turn))
        self.source = source
        guard fitsSize else {
            canvas = source
            return
        }
        let (width, height) = (Double(source.width), Double(source.height))
        // A thousandth of a pixel is rounding.
        let bounds = (width * abs(cosine) + height * abs(sine) - 1e-3, width * abs(sine) + height * abs(cosine) - 1e-3)
        canvas = PixelSize(width: max(1, Int(bounds.0.rounded(.up))), height: max(1, Int(bounds.1.rounded(.up))))
        guard canvas.area <= ImageLimits().maximumPixelCount else { return nil }
    }

    /// The orientation of a file that is turned upright by this rotation, where it is one by whole quarter turns that
    /// fills the canvas.
    var quarterTurn: ImageOrientation? {
        let turns: [(sine: Double, cosine: Double, orientation: ImageOrientation)] = [
            (0, 1, .up), (1, 0, .left), (0, -1, .down), (-1, 0, .right),
        ]
        let isNear = { (number: Double, whole: Double) in abs(number - whole) < 1e-9 }
        return turns.first {
            isNear(sine, $0.sine) && isNear(cosine, $0.cosine) && $0.orientation.apply(to: source) == canvas
        }?.orientation
    }

    /// The place in the picture of the first pixel of row `y`, and the way to that of the next pixel. A pixel's centre
    /// is at whole numbers.
    func line(_ y: Int) -> (x: Double, y: Double, stepX: Double, stepY: Double) {
        let (right, down) = (-Double(canvas.width - 1) / 2, Double(y) - Double(canvas.height - 1) / 2)
        let x = right * cosine - down * sine + Double(source.width - 1) / 2
        let y = right * sine + down * cosine + Double(source.height - 1) / 2
        return (x, y, cosine, sine)
    }
}
