/// The limits of a disk cache, which may change while it is used.
struct DiskCacheLimits: Sendable, Hashable {
    /// The longest time since an entry's date; nil for no limit.
    var age: Duration?
    /// Bytes; nil for no limit.
    var size: Int?
    /// Entries; nil for no limit.
    var count: Int?
}
