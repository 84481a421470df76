import WebImageCore

/// The content of a decoder's error; it has no address and no response.
extension WebImageError: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(code.rawValue)
        message.write(stage)
        message.write(kind)
        message.write(reason)
        message.write(isOfFrameCount)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let (code, stage, kind) = (
            Code(rawValue: try message.read()), try message.read() as Stage, try message.read() as Kind
        )
        let reason: String = try message.read()
        self.init(code, stage: stage, kind: kind, reason: reason.abbreviated(to: Self.longestReason))
        isOfFrameCount = try message.read()
    }

    /// A picture may have chosen the text.
    private static let longestReason = 1000
}

extension WebImageError.Stage: MessageChoice {
    package static var messageChoices: [Self] { [.request, .disk, .load, .decode, .transform, .encode, .store] }

    package var messageCode: UInt8 {
        switch self {
        case .request: 0
        case .disk: 1
        case .load: 2
        case .decode: 3
        case .transform: 4
        case .encode: 5
        case .store: 6
        }
    }
}

extension WebImageError.Kind: MessageChoice {
    package static var messageChoices: [Self] { [.transient, .permanent, .cancelled, .policy] }

    package var messageCode: UInt8 {
        switch self {
        case .transient: 0
        case .permanent: 1
        case .cancelled: 2
        case .policy: 3
        }
    }
}
