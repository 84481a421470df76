/// What the index knows of one entry: 24 bytes, since there may be a million.
struct IndexRecord: Sendable, Hashable, BitwiseCopyable {
    /// Bytes of the file; more than any entry may have counts as one byte too many, so that a file of exabytes (they can
    /// be sparse) breaks no sum.
    let size: UInt32
    /// What the file takes on disk, in units of 512 bytes.
    private let blocks: UInt32
    /// When an entry of that key was first stored; unknown after a rebuild by another date.
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

    /// A file of `size` bytes that was written at `time`. How many blocks it takes is not known before it is looked at;
    /// most file systems give them out by 4,096 bytes.
    init(size: Int, writtenAt time: FileTime) {
        let date = IndexDate(time)
        self.init(
            size: Self.limited(size), blocks: UInt32(clamping: (Int(Self.limited(size)) + 4095) / 4096 * 8),
            created: date, modified: date, changed: date, used: date)
    }

    /// What a file says itself; dates after `now` are mistaken, and would keep it for ever.
    init(_ status: FileStatus, now: FileTime) {
        let modified = min(status.modified, now)
        self.init(
            size: Self.limited(status.size), blocks: UInt32(clamping: status.allocatedSize / 512),
            created: .unknown, modified: IndexDate(modified), changed: IndexDate(min(status.changed, now)),
            used: IndexDate(min(max(status.accessed, status.modified), now)))
    }

    /// The same, first stored when `known` says: a look at the file from outside does not tell.
    func keepingCreation(of known: IndexRecord?) -> IndexRecord {
        guard let known, known.created.isKnown else { return self }
        var record = self
        record.created = created.isKnown ? min(known.created, created) : known.created
        return record
    }

    /// What is known of the same file, with what a later look at it adds.
    func updated(by seen: IndexRecord) -> IndexRecord {
        var record = self
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
