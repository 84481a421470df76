import WebImageCore

extension PixelSize: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(width)
        message.write(height)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(width: try message.read(), height: try message.read())
    }
}

extension PixelRegion: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(columns)
        message.write(rows)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(columns: try message.read(), rows: try message.read())
    }
}

extension PixelFormat: MessageChoice {
    package static var messageChoices: [PixelFormat] {
        [
            .rgba8Premultiplied, .rgba8Straight, .rgba16Premultiplied, .rgba16Straight, .rgba16FloatPremultiplied,
            .rgba16FloatStraight,
        ]
    }

    package var messageCode: UInt8 {
        switch self {
        case .rgba8Premultiplied: 0
        case .rgba8Straight: 1
        case .rgba16Premultiplied: 2
        case .rgba16Straight: 3
        case .rgba16FloatPremultiplied: 4
        case .rgba16FloatStraight: 5
        }
    }
}

extension ColorSpace: MessageChoice {
    package static var messageChoices: [ColorSpace] { [.sRGB, .asStored, .displayP3, .bt2100PQ, .bt2100HLG] }

    package var messageCode: UInt8 {
        switch self {
        case .sRGB: 0
        case .asStored: 1
        case .displayP3: 2
        case .bt2100PQ: 3
        case .bt2100HLG: 4
        }
    }
}

extension ImageOrientation: MessageChoice {
    package static var messageChoices: [ImageOrientation] { allCases }
    package var messageCode: UInt8 { UInt8(rawValue) }
}

extension ResamplingFilter: MessageChoice {
    package static var messageChoices: [ResamplingFilter] { allCases }

    package var messageCode: UInt8 {
        switch self {
        case .box: 0
        case .bilinear: 1
        case .mitchell: 2
        case .lanczos3: 3
        }
    }
}

extension ImageFormat: MessageValue {
    package func write(to message: inout MessageWriter) { message.write(rawValue) }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(rawValue: try message.read())
    }
}

extension DecoderKind: MessageChoice {
    package static var messageChoices: [DecoderKind] { allCases }
    package var messageCode: UInt8 { rawValue }
}
