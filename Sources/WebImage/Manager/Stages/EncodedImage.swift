import FoundationEssentials

/// Bytes on their way to the decoder, and where they came from.
// A class: it goes through many hands, and holds a handful of references.
final class EncodedImage: Sendable {
    enum Source: Hashable, Sendable {
        case loader
        case disk(DiskFile)
        case memory
    }

    let data: Data
    /// Of the bytes, computed where they were read or received; nil without bytes.
    let fingerprint: FileFingerprint?
    let source: Source
    /// The file on disk, for bytes from there.
    let stored: StoredFile?
    let http: HTTPResponse?
    /// The head of its response, as caches keep it.
    let record: HTTPRecord?
    /// Where the server allows to keep it.
    let keeping: ImageOrigin.Keeping
    /// Whether what caches have of the address is older.
    let replacesStored: Bool
    /// Of the transfer that brought the bytes, or in which the server has said that those on the disk are current.
    let metrics: TransferMetrics?
    /// The finished decodes of the same bytes.
    let decodes: DecodeMemory?
    /// Whether the picture is refreshed after it is decoded.
    let isToBeRefreshed: Bool
    /// Bytes that were read or received.
    let byteCount: Int
    /// Whether the bytes are the whole file.
    let isWhole: Bool

    /// An original that was in memory as pixels, without bytes.
    static let inMemory = EncodedImage(source: .memory, byteCount: 0, isWhole: true)

    /// The first part of a file, decoded as it arrived.
    static func beginning(byteCount: Int) -> EncodedImage {
        EncodedImage(source: .loader, byteCount: byteCount, isWhole: false)
    }

    private init(source: Source, byteCount: Int, isWhole: Bool) {
        data = Data()
        fingerprint = nil
        self.byteCount = byteCount
        self.isWhole = isWhole
        self.source = source
        stored = nil
        http = nil
        record = nil
        keeping = .anywhere
        replacesStored = true
        metrics = nil
        decodes = nil
        isToBeRefreshed = false
    }

    init(_ file: StoredFile, from source: DiskFile, isToBeRefreshed: Bool = false) {
        data = file.entry.data
        fingerprint = file.fingerprint
        byteCount = data.count
        isWhole = true
        self.source = .disk(source)
        stored = file
        http = file.answer.response
        record = file.record
        keeping = .anywhere
        replacesStored = false
        metrics = file.metrics
        decodes = nil
        self.isToBeRefreshed = isToBeRefreshed
    }

    init(_ response: ImageLoadResponse) {
        data = response.data
        fingerprint = response.fingerprint ?? FileFingerprint(data)
        byteCount = data.count
        isWhole = true
        source = .loader
        stored = nil
        http = response.http
        record = response.record
        keeping = response.keeping
        replacesStored = response.replacesStored
        metrics = response.metrics
        decodes = response.decodes
        isToBeRefreshed = false
    }

    var cacheType: ImageCacheType {
        switch source {
        case .loader: .noCache
        case .disk: .disk
        case .memory: .memory
        }
    }

    /// Whether the caller blocks until the picture is decoded, as for a file on this machine.
    func blocksCaller(by plan: LoadPlan) -> Bool {
        source != .loader && plan.options.contains(.queryDiskDataSync) && !isToBeRefreshed
    }
}
