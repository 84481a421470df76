import FoundationEssentials
import WebImageCore

/// The file of a result, with what its answers need.
struct StoredResult: Sendable, Equatable {
    let data: Data
    let format: ImageFormat
    let keeping: SourceAge.Keeping
    /// From then on the source is asked whether it has changed.
    let freshUntil: Date
    /// Whether its source allows to send it for a while after that.
    let mayBeStale: Bool
    /// The fingerprint of the file that it was made of: an original that is replaced by another one takes it along.
    let source: String?
    /// With its quotes.
    let tag: String

    init(
        data: Data, format: ImageFormat, keeping: SourceAge.Keeping, freshUntil: Date, mayBeStale: Bool = true,
        source: String? = nil
    ) {
        self.data = data
        self.format = format
        self.keeping = keeping
        self.freshUntil = freshUntil
        self.mayBeStale = mayBeStale
        self.source = source
        tag = "\"\(FileFingerprint(data).text)\""
    }

    func isFresh(at now: Date) -> Bool { now < freshUntil }

    /// Whether it may be sent while it is made anew.
    func isUsable(at now: Date) -> Bool { now < freshUntil + (mayBeStale ? Self.staleTime : 0) }

    /// A day.
    private static let staleTime = 86_400.0
}

extension StoredResult {
    private static let format = "webimage-format"
    private static let keeping = "webimage-keeping"
    private static let freshUntil = "webimage-fresh-until"
    private static let mayBeStale = "webimage-may-be-stale"
    private static let tag = "webimage-tag"

    /// As an entry of a cache. nil for one that is no result's.
    init?(_ entry: DiskCacheEntry) {
        let fields = entry.headers
        guard let format = fields[Self.format].flatMap({ Int($0) }),
            let keeping = fields[Self.keeping].flatMap({ SourceAge.Keeping(rawValue: $0) }),
            let freshUntil = fields[Self.freshUntil].flatMap({ Double($0) }), let tag = fields[Self.tag]
        else { return nil }
        data = entry.data
        self.format = ImageFormat(rawValue: format)
        self.keeping = keeping
        self.freshUntil = Date(timeIntervalSince1970: freshUntil)
        mayBeStale = fields[Self.mayBeStale] != "0"
        source = entry.fileFingerprint
        self.tag = tag
    }

    var entry: DiskCacheEntry {
        var fields = [
            Self.format: "\(format.rawValue)", Self.keeping: keeping.rawValue,
            Self.freshUntil: "\(freshUntil.timeIntervalSince1970)", Self.mayBeStale: mayBeStale ? "1" : "0",
            Self.tag: tag,
        ]
        fields[HTTPRecord.original] = source
        return DiskCacheEntry(data: data, headers: fields)
    }
}
