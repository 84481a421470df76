import FoundationEssentials
import WebImageCore

extension DiskCacheEntry {
    /// The hash of the picture, for a placeholder; nil, the default, without one. It is one of the notes in ``headers``
    /// (`:thumbhash`, in Base64).
    public var thumbHash: ThumbHash? {
        get { fields.dictionary[HTTPRecord.thumbHash].flatMap { try? ThumbHash(base64: $0) } }
        set { headers[HTTPRecord.thumbHash] = newValue?.base64 }
    }
}
