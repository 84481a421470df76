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

    let data: Data
    /// Of the bytes, computed where they were read or received; nil without bytes.
    let fingerprint: FileFingerprint?
    let source: Source
    /// The file on disk, for bytes from there. For those of ``original``, its file: the one that the server knows.
    let stored: StoredFile?
    /// The original, where the bytes are those of a file that was made of it.
    let original: EncodedImage?
    /// The entry with the bytes; nil where they are from no disk.
    let entry: DiskCacheEntry?
    /// The file of this machine that a loader has read; nil for all others.
    let localFile: FileRevision?
    let http: HTTPResponse?
    /// The head of its response, as caches keep it.
    let record: HTTPRecord?
    /// The places in which the server allows to keep it.
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
        original = nil
        entry = nil
        stored = nil
        localFile = nil
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
        original = nil
        entry = file.entry
        stored = file
        localFile = nil
        http = file.answer.response
        record = file.record
        keeping = .anywhere
        replacesStored = false
        metrics = file.metrics
        decodes = nil
        self.isToBeRefreshed = isToBeRefreshed
    }

    /// The file of the finished picture in place of `original`; nil where it was made of another one.
    init?(_ file: StoredFile, of original: EncodedImage) {
        guard let fingerprint = original.fingerprint,
            file.record.fields.dictionary[HTTPRecord.original] == fingerprint.text
        else { return nil }
        data = file.entry.data
        self.fingerprint = file.fingerprint
        byteCount = data.count
        isWhole = true
        source = .disk(.result)
        self.original = original
        entry = file.entry
        stored = original.stored
        localFile = original.localFile
        http = original.http
        record = original.record
        keeping = original.keeping
        replacesStored = false
        metrics = original.metrics
        decodes = nil
        isToBeRefreshed = original.isToBeRefreshed
    }

    init(_ response: ImageLoadResponse) {
        data = response.data
        fingerprint = response.fingerprint ?? FileFingerprint(data)
        byteCount = data.count
        isWhole = true
        source = .loader
        original = nil
        entry = nil
        stored = nil
        localFile = response.file
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
