/// The part of a picture that stays where something is cut off, or the place where it stands in a larger area.
struct Gravity: Equatable {
    enum Anchor: Equatable {
        /// A point of the area, from 0 for the left or upper edge to 1 for the right or lower one.
        case edge(x: Double, y: Double)
        /// A point of the picture, in the same measure, that comes to the middle as near as its edges allow.
        case focus(x: Double, y: Double)
        /// The most interesting part.
        case smart
    }

    var anchor: Anchor
    /// The way from the anchor's edges towards the middle, or from the middle to the right and down.
    var x = Offset.points(0)
    var y = Offset.points(0)

    static let center = Gravity(anchor: .edge(x: 0.5, y: 0.5))
}

/// A length in points, or as a share of the picture's side.
enum Offset: Equatable {
    case points(Double)
    case share(Double)

    /// A number between -1 and 1 is a share, but for 0.
    init(_ number: Double) { self = abs(number) < 1 && number != 0 ? .share(number) : .points(number) }

    /// - Parameter scale: The pixels of a point.
    func pixels(of side: Int, scale: Double = 1) -> Int {
        switch self {
        case .points(let points): (points * scale).roundedToInt
        case .share(let share): (share * Double(side)).roundedToInt
        }
    }
}

extension Double {
    /// The nearest whole number, within what pixels can be counted by.
    var roundedToInt: Int { isNaN ? 0 : Int(rounded().clamped(to: -0x4000_0000...0x4000_0000)) }

    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
