import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// Bytes on their way to the decoder, and where they came from.
// A class: it goes through many hands, and holds a handful of references.
final class EncodedImage: Sendable {
    enum Source: Hashable, Sendable {
        case loader
        case disk(DiskFile)
        case memory
    }

    private enum Origin {
        case loader(ImageLoadResponse)
        case disk(StoredFile, DiskFile, isToBeRefreshed: Bool)
        /// The file of the finished picture, which was made of an original.
        case result(StoredFile, of: EncodedImage)
        case beginning(byteCount: Int)
        case memory
    }

    private let origin: Origin

    /// An original that was in memory as pixels, without bytes.
    static let inMemory = EncodedImage(.memory)

    /// The first part of a file, decoded as it arrived.
    static func beginning(byteCount: Int) -> EncodedImage { EncodedImage(.beginning(byteCount: byteCount)) }

    private init(_ origin: Origin) { self.origin = origin }

    init(_ file: StoredFile, from source: DiskFile, isToBeRefreshed: Bool = false) {
        origin = .disk(file, source, isToBeRefreshed: isToBeRefreshed)
    }

    /// The file of the finished picture in place of `original`; nil where it was made of another one.
    init?(_ file: StoredFile, of original: EncodedImage) {
        guard let fingerprint = original.fingerprint,
            file.record.fields.dictionary[HTTPRecord.original] == fingerprint.text
        else { return nil }
        origin = .result(file, of: original)
    }

    init(_ response: ImageLoadResponse) { origin = .loader(response.fingerprinted) }
}

// MARK: - Its bytes

extension EncodedImage {
    var source: Source {
        switch origin {
        case .loader, .beginning: .loader
        case .disk(_, let file, _): .disk(file)
        case .result: .disk(.result)
        case .memory: .memory
        }
    }

    var cacheType: ImageCacheType {
        switch source {
        case .loader: .noCache
        case .disk: .disk
        case .memory: .memory
        }
    }

    var data: Data {
        if case .loader(let response) = origin { response.data } else { entry?.data ?? Data() }
    }

    /// Of the bytes; nil without bytes.
    var fingerprint: FileFingerprint? {
        if case .loader(let response) = origin { response.fingerprint } else { file?.fingerprint }
    }

    /// The entry with the bytes; nil where they are from no disk.
    var entry: DiskCacheEntry? { file?.entry }

    /// Bytes that were read or received.
    var byteCount: Int {
        if case .beginning(let byteCount) = origin { byteCount } else { data.count }
    }

    /// The finished decodes of the same bytes.
    var decodes: DecodeMemory? {
        if case .loader(let response) = origin { response.decodes } else { nil }
    }

    /// Whether they are a whole file that is newer than what caches have of the address.
    var replacesStored: Bool {
        if case .loader(let response) = origin { response.replacesStored } else { false }
    }

    /// Whether they are a whole file from a loader.
    var isLoaded: Bool {
        if case .loader = origin { true } else { false }
    }

    private var file: StoredFile? {
        switch origin {
        case .disk(let file, _, _), .result(let file, _): file
        case .loader, .beginning, .memory: nil
        }
    }
}

// MARK: - Its original

extension EncodedImage {
    /// The original, where the bytes are those of a file that was made of it.
    var original: EncodedImage? {
        if case .result(_, let original) = origin { original } else { nil }
    }

    /// The file on disk that the server knows.
    var stored: StoredFile? { original?.stored ?? file }

    /// The file of this machine that a loader has read; nil for all others.
    var localFile: FileRevision? { response?.file }

    var http: HTTPResponse? { response?.http ?? stored?.answer.response }

    /// The head of its response, as caches keep it.
    var record: HTTPRecord? { response?.record ?? stored?.record }

    /// The places in which the server allows to keep it.
    var keeping: ImageOrigin.Keeping { response?.keeping ?? .anywhere }

    /// Of the transfer that brought the bytes, or in which the server has said that those on the disk are current.
    var metrics: TransferMetrics? { response?.metrics ?? stored?.metrics }

    /// Whether the picture is refreshed after it is decoded.
    var isToBeRefreshed: Bool {
        switch origin {
        case .disk(_, _, let isToBeRefreshed): isToBeRefreshed
        case .result(_, let original): original.isToBeRefreshed
        case .loader, .beginning, .memory: false
        }
    }

    /// Whether the caller blocks until the picture is decoded, as for a file on this machine.
    func blocksCaller(by plan: LoadPlan) -> Bool {
        source != .loader && plan.options.contains(.queryDiskDataSync) && !isToBeRefreshed
    }

    private var response: ImageLoadResponse? {
        if case .loader(let response) = (original ?? self).origin { response } else { nil }
    }
}
