import FoundationEssentials

/// A tier behind the disk of a cache: a directory on another disk, or a server that several machines share.
///
/// ``ImageCacheConfig/fartherTiers`` has them, the nearest first. A query asks them one after the other where the disk has
/// nothing, and what one of them has is stored in all nearer ones. Stores and removals go to all of them, one after the other
/// in the order of the requests, and no load waits for that. A store is done when the disk has it, a removal when all tiers
/// have made it; ``ImageCache/flush()`` waits for all. While 64 MiB wait for a slow tier, further stores do not get there, and
/// one warning is logged.
///
/// A tier keeps bytes and knows nothing else: they contain the entry's key, rights, dates and header fields, and a checksum
/// (``DiskCacheEntry/bytes(for:)``), which the cache checks. They are not signed: whoever can write to a tier decides what
/// is shown. An error, after which one warning is logged, counts as no entry; a tier that is slow should give up by itself.
///
/// Any thread, several calls at once. A call must not block its thread, one of the few that all tasks share: what waits for a
/// disk runs on a queue, as in Docs/Tiers.md.
public protocol ImageCacheTier: Sendable {
    /// The bytes that were stored at `path`; nil for none.
    ///
    /// - Parameter path: Two names of hexadecimal digits with a slash between them, such as `0123456789abcdef/0123…`. A
    ///   picture and its thumbnails have the first one in common.
    func bytes(at path: String) async throws -> Data?

    /// Stores bytes at `path`, in place of others: readers get the old or the new ones, never a part.
    func store(_ bytes: Data, at path: String) async throws

    /// Removes what is stored at `path`, if there is something: one entry, or all whose path begins with the one name that
    /// `path` consists of. An empty path stands for everything.
    func remove(at path: String) async throws
}
