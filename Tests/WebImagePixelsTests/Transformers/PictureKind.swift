import WebImageCore
import WebImagePixels

@testable import WebImageTestDoubles

/// A picture of each kind that operations on pixels take.
enum PictureKind: CaseIterable {
    case opaque, translucent, straight, deep, deepStraight, float, floatStraight

    /// Those whose channels are cut off at 0 and 1.
    static let integers = allCases.filter { $0 != .float && $0 != .floatStraight }

    /// Random pixels over waves of colours.
    func picture(_ size: PixelSize, seed: UInt64 = 5) throws -> Bitmap {
        let base: Bitmap =
            switch self {
            case .opaque: try TestPicture.noise(size, isOpaque: true, seed: seed)
            case .translucent, .deep, .float: try TestPicture.noise(size, seed: seed)
            case .straight, .deepStraight, .floatStraight:
                try TestPicture.noise(size, format: .rgba8Straight, seed: seed)
            }
        switch self {
        case .deep: return try base.converted(to: .rgba16Premultiplied)
        case .deepStraight: return try base.converted(to: .rgba16Straight)
        case .float: return try base.converted(to: .rgba16FloatPremultiplied)
        case .floatStraight: return try base.converted(to: .rgba16FloatStraight)
        default: return base
        }
    }

    /// The largest difference from exact results, in 1/255.
    var tolerance: Double {
        switch self {
        case .opaque, .translucent, .straight: 1
        case .deep, .deepStraight: 0.03
        case .float: 0.2
        case .floatStraight: 0.5
        }
    }
}
