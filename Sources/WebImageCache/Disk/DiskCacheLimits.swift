/// The limits of a disk cache, which may change while it is used.
package struct DiskCacheLimits: Sendable, Hashable {
    /// The longest time since an entry's date; nil for no limit.
    package var age: Duration?
    /// Bytes; nil for no limit.
    package var size: Int?
    /// Entries; nil for no limit.
    package var count: Int?
}
