/// What the index knows of one entry: 24 bytes, since there may be a million.
struct IndexRecord: Sendable, Hashable, BitwiseCopyable {
    /// Bytes of the file; more than any entry may have counts as one byte too many, so that a file of exabytes (they can
    /// be sparse) breaks no sum.
    let size: UInt32
    /// What the file takes on disk, in units of 512 bytes, below two bits of ``Expiry``.
    private var packed: UInt32
    /// When an entry of that key was first stored; unknown after a rebuild by another date.
    var created: IndexDate
    /// When the file was last written.
    var modified: IndexDate
    /// When the file or one of its attributes was last changed.
    var changed: IndexDate
    /// When the entry was last read or written.
    var used: IndexDate

    /// Whether an entry has a date of its own from when on it counts as none. Which one, its file says.
    enum Expiry: UInt32 {
        /// Only its file was seen from outside.
        case unknown, never, some
    }

    var expiry: Expiry {
        get { Expiry(rawValue: packed >> 30) ?? .unknown }
        set { packed = blocks | newValue.rawValue << 30 }
    }

    var blocks: UInt32 { packed & 0x3fff_ffff }

    var byteCount: Int { Int(size) }
    var allocatedSize: Int { Int(blocks) * 512 }

    init(
        size: UInt32, blocks: UInt32, created: IndexDate, modified: IndexDate, changed: IndexDate, used: IndexDate
    ) {
        (self.size, packed) = (size, min(blocks, 0x3fff_ffff))
        (self.created, self.modified, self.changed, self.used) = (created, modified, changed, used)
    }

    /// A file of `size` bytes that was written at `time`. How many blocks it takes is not known before it is looked at;
    /// most file systems give them out by 4,096 bytes.
    init(size: Int, writtenAt time: FileTime, expiry: Expiry = .unknown) {
        let date = IndexDate(time)
        self.init(
            size: Self.limited(size), blocks: UInt32(clamping: (Int(Self.limited(size)) + 4095) / 4096 * 8),
            created: date, modified: date, changed: date, used: date)
        self.expiry = expiry
    }

    /// What a file says itself; dates after `now` are mistaken, and would keep it for ever.
    init(_ status: FileStatus, now: FileTime) {
        let modified = min(status.modified, now)
        self.init(
            size: Self.limited(status.size), blocks: UInt32(clamping: status.allocatedSize / 512),
            created: .unknown, modified: IndexDate(modified), changed: IndexDate(min(status.changed, now)),
            used: IndexDate(min(max(status.accessed, status.modified), now)))
    }

    /// The same, stored first when `known` says, which whoever has only seen the file from outside does not know.
    func keepingCreation(of known: IndexRecord?) -> IndexRecord {
        guard let known, known.created.isKnown else { return self }
        var record = self
        record.created = created.isKnown ? min(known.created, created) : known.created
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
