import FoundationEssentials

extension ImageCoder {
    /// Whether a decode of `data` by this coder may take long, and cannot be interrupted.
    func isUninterruptible(for data: Data) -> Bool {
        switch self {
        case let coders as ImageCodersManager: coders.coders.contains { $0.isUninterruptible(for: data) }
        case let format as FormatCoder: format.coder.isUninterruptible(for: data)
        default: self is any UninterruptibleCoder && canDecode(data)
        }
    }
}
