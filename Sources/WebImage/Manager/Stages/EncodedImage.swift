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
    /// Of the bytes, made where they were read or received; nil where there are none.
    let fingerprint: FileFingerprint?
    let source: Source
    /// The file on disk, if that is where the bytes came from.
    let stored: StoredFile?
    let http: HTTPResponse?
    /// The decodes of the same bytes that are done.
    let decodes: DecodeMemory?
    /// Whether the picture is to be refreshed when it is made.
    let isToBeRefreshed: Bool
    /// Bytes that were read or have come.
    let byteCount: Int
    /// Whether the bytes are all of the file.
    let isWhole: Bool

    /// An original that was in memory as pixels: there are no bytes.
    static let inMemory = EncodedImage(source: .memory, byteCount: 0, isWhole: true)

    /// A file of which only the beginning has come, and was decoded as it came.
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
        http = nil
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
        decodes = response.decodes
        isToBeRefreshed = false
    }

    var cacheType: ImageCacheType {
        switch source {
        case .loader: .none
        case .disk: .disk
        case .memory: .memory
        }
    }

    /// Whether whoever asked waits for the picture, because it is on this machine.
    func blocksCaller(by plan: LoadPlan) -> Bool {
        source != .loader && plan.options.contains(.queryDiskDataSync) && !isToBeRefreshed
    }
}
