import FoundationEssentials

/// How often an incomplete file is decoded from its beginning, because libjxl 0.7 takes it for damaged: what its groups depend
/// on may be yet to come, and libjxl must then get it at once with them.
struct JXLBeginnings {
    enum Step {
        /// - rest: What is new of the codestream without boxes; nil where the file is decoded as it comes.
        case goOn(_ rest: Data?)
        /// With all of the codestream that has come.
        case beginAgain(Data)
        case wait
    }

    private enum State {
        case asItComes
        /// - byteCount: The bytes of the codestream that libjxl has got.
        /// - isWhole: Whether it has got them at once.
        case begunAgain(byteCount: Int, isWhole: Bool)
        /// - byteCount: The bytes of the file that were there at the failure.
        /// - isWhole: Whether libjxl has failed with all of them at once.
        case failed(byteCount: Int, isWhole: Bool)
    }

    private var state = State.asItComes
    /// The bytes of all beginnings together.
    private var spent = 0

    /// Small files begin again with each piece; in large ones, each beginning has a sixteenth more.
    private static let freeByteCount = 4 << 20
    private static let growth = 16

    /// - Parameter file: All that has come.
    mutating func next(_ file: Data) -> Step {
        switch state {
        case .asItComes: return .goOn(nil)
        case .begunAgain(let byteCount, _):
            let codestream = file.jpegXLCodestream
            state = .begunAgain(byteCount: codestream.count, isWhole: false)
            return .goOn(codestream.dropFirst(byteCount))
        case .failed(let byteCount, let isWhole):
            let hasGrown = file.count - byteCount > file.count / Self.growth
            guard !isWhole || file.count > byteCount && (hasGrown || spent < Self.freeByteCount) else { return .wait }
            let codestream = file.jpegXLCodestream
            spent += codestream.count
            state = .begunAgain(byteCount: codestream.count, isWhole: true)
            return .beginAgain(codestream)
        }
    }

    /// libjxl has failed with what has come.
    mutating func hasFailed(_ file: Data) {
        if case .begunAgain(_, isWhole: true) = state {
            state = .failed(byteCount: file.count, isWhole: true)
        } else {
            state = .failed(byteCount: file.count, isWhole: false)
        }
    }
}
