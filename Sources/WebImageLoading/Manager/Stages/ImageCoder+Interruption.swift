import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageIsolation

extension ImageCoder {
    /// Whether a decode of `data` by this coder may take long, and cannot be interrupted, or takes as long as a limit allows
    /// for a file of few bytes.
    func isUninterruptible(for data: Data) -> Bool {
        switch self {
        case let coders as ImageCodersManager: coders.decoders.contains { $0.isUninterruptible(for: data) }
        case let format as FormatCoder: format.coder.isUninterruptible(for: data)
        case let isolated as IsolatedCoder: isolated.kind.drawsDocuments && isolated.canDecode(data)
        default: self is any UninterruptibleCoder && canDecode(data)
        }
    }
}
