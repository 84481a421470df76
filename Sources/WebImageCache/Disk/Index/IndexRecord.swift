import WebImageCore

/// The index's record of one entry: 24 bytes, since a cache may have a million entries.
struct IndexRecord: Sendable, Hashable, BitwiseCopyable {
    /// Bytes of the file; files above the limit count as one byte more than the limit, so that a sparse file of
    /// exabytes does not overflow a sum.
    let size: UInt32
    /// The space that the file takes on disk, in units of 512 bytes.
    private let blocks: UInt32
    /// When an entry of that key was first stored; unknown after a rebuild with another order.
    var created: IndexDate
    /// When the file was last written.
    var modified: IndexDate
    /// When the file or one of its attributes was last changed.
    var changed: IndexDate
    /// When the entry was last read or written.
    var used: IndexDate

    var byteCount: Int { Int(size) }
    var allocatedSize: Int { Int(blocks) * 512 }

    init(
        size: UInt32, blocks: UInt32, created: IndexDate, modified: IndexDate, changed: IndexDate, used: IndexDate
    ) {
        (self.size, self.blocks) = (size, blocks)
        (self.created, self.modified, self.changed, self.used) = (created, modified, changed, used)
    }

    /// A file of `size` bytes that was written at `time`. The number of blocks is estimated without a look at the file:
    /// most file systems allocate units of 4,096 bytes.
    init(size: Int, writtenAt time: FileTime) {
        let date = IndexDate(time)
        self.init(
            size: Self.limited(size), blocks: UInt32(clamping: (Int(Self.limited(size)) + 4095) / 4096 * 8),
            created: date, modified: date, changed: date, used: date)
    }

    /// A file as its status describes it. Dates after `now` are limited to `now`: otherwise the entry would never
    /// expire.
    init(_ status: FileStatus, now: FileTime) {
        let modified = min(status.modified, now)
        self.init(
            size: Self.limited(status.size), blocks: UInt32(clamping: status.allocatedSize / 512),
            created: .unknown, modified: IndexDate(modified), changed: IndexDate(min(status.changed, now)),
            used: IndexDate(min(max(status.accessed, status.modified), now)))
    }

    /// The same with the date of the first store from `known`, since the status of a file does not tell it.
    func keepingCreation(of known: IndexRecord?) -> IndexRecord {
        guard let known, known.created.isKnown else { return self }
        var record = self
        record.created = created.isKnown ? min(known.created, created) : known.created
        return record
    }

    /// The record after a later look at the file's status, which tells the size exactly, but not the date of a use that
    /// is not written yet.
    func updated(by seen: IndexRecord) -> IndexRecord {
        var record = seen
        record.created = created
        record.modified = max(modified, seen.modified)
        record.changed = max(changed, seen.changed)
        record.used = max(used, seen.used)
        return record
    }

    private static func limited(_ size: Int) -> UInt32 {
        UInt32(clamping: min(max(0, size), DiskEntryFormat.largestFile + 1))
    }

    /// The date that ages and orders entries.
    subscript(type: DiskCacheExpireType) -> IndexDate {
        get {
            switch type {
            case .accessDate: used
            case .modificationDate: modified
            case .creationDate: created
            case .changeDate: changed
            }
        }
        set {
            switch type {
            case .accessDate: used = newValue
            case .modificationDate: modified = newValue
            case .creationDate: created = newValue
            case .changeDate: changed = newValue
            }
        }
    }
}
