import WebImageCore

extension ColorSpace {
    /// The colours of a bitmap; an unknown colour space counts as sRGB, as everywhere.
    package var codedColors: CodedColors {
        switch self {
        case .sRGB, .asStored: .sRGB
        case .displayP3: .displayP3
        case .bt2100PQ: CodedColors(primaries: .bt2020, transfer: .perceptualQuantizer)
        case .bt2100HLG: CodedColors(primaries: .bt2020, transfer: .hybridLogGamma)
        }
    }

    /// Whether what takes all numbers for sRGB has to convert them first.
    package var differsFromSRGB: Bool { codedColors != .sRGB }
}
