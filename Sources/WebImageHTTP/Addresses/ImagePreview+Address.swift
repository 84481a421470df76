import FoundationEssentials
import WebImageCore

extension ImagePreview {
    /// The picture at another address, a `URL` or a text that a person has written; nil, no preview, for what is neither.
    public static func address(_ address: (any ImageAddress)?) -> ImagePreview? {
        guard let url = try? address?.imageURL else { return nil }
        return .url(url)
    }
}
