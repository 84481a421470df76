import FoundationEssentials
import WebImageCache
import WebImageCore
import WebImageHTTP

/// A file from the disk cache.
// A class: it goes through many hands, and holds a handful of references.
final class StoredFile: Sendable {
    let entry: DiskCacheEntry
    /// The response that it came with.
    let record: HTTPRecord
    /// How it may be used for the load.
    let use: CachedUse
    /// The response as the answer to the load.
    let answer: CachedAnswer
    /// Whether the server has just said that it is current.
    let isValidated: Bool
    /// The times of the exchange in which it was asked; nil where it was not.
    let metrics: TransferMetrics?
    /// Of the bytes; computed where they were read, since it is compared under locks.
    let fingerprint: FileFingerprint
    /// The generation before the read.
    let generation: Int

    init(
        entry: DiskCacheEntry, use: CachedUse = .atOnce, answer: CachedAnswer = CachedAnswer(),
        generation: Int = 0
    ) {
        self.entry = entry
        self.use = use
        self.answer = answer
        self.generation = generation
        isValidated = false
        metrics = nil
        record = HTTPRecord(fields: entry.fields, storedAt: entry.storedAt)
        fingerprint = entry.serializedFingerprint ?? FileFingerprint(entry.data)
    }

    /// The same file, of which the server has said that it is current.
    ///
    /// - Parameter isValidated: Whether by that alone, and not by sending it again.
    init(
        _ file: StoredFile, record: HTTPRecord, answer: HTTPResponse?, isValidated: Bool, metrics: TransferMetrics?
    ) {
        var entry = file.entry
        entry.fields = record.fields
        entry.storedAt = record.storedAt
        self.entry = entry
        self.record = record
        self.answer = CachedAnswer(response: answer)
        use = .atOnce
        self.isValidated = isValidated
        self.metrics = metrics
        fingerprint = file.fingerprint
        generation = file.generation
    }

    /// Whether a server has sent the same bytes.
    func holds(_ response: ImageLoadResponse) -> Bool { fingerprint == response.fingerprinted.fingerprint }
}
