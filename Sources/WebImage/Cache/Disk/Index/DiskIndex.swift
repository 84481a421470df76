import FoundationEssentials
import Synchronization

/// What is known of the files of a disk cache: derived from them, and never more than they say.
///
/// It is read from its own files when the cache is used first, goes on by what this process and others do, and is made
/// anew by a look at all files when its own cannot be believed. Until it is complete, what this process itself has done
/// since the start is all that it knows.
final class DiskIndex: Sendable {
    /// What others are told of an entry.
    typealias Change = (change: JournalRecord.Change, name: DiskEntryName, record: IndexRecord)

    /// The file of an entry is just being written or removed.
    struct Undertaking {
        /// Where the others see that somebody is at it.
        var shared: IndexState?
        /// What says it instead, as long as nothing is shared.
        var sign: UntoldSign?

        var isSeen: Bool { shared != nil || sign != nil }
    }

    struct State {
        var table: EntryTable
        var isComplete = false
        /// Whether the files of the index were read.
        var isLoaded = false
        /// The entries that were written or removed while a load or a scan goes on: of these, what the table says counts.
        var changes: Set<DiskEntryName>? = []
        /// The entries that this process or others have read while that goes on, and when. This one may not know them yet.
        var usesMeanwhile: [DiskEntryName: IndexDate] = [:]
        var inProgress: [DiskEntryName: Undertaking] = [:]
        /// The entries that this process evicts, unless it has written them since.
        var evicting: Set<DiskEntryName> = []
        /// The entries that two processes changed at once, or may have: only a look at the files tells who was last.
        var doubtful: Set<DiskEntryName> = []
        /// The entries that were read since the times of that were last written to their files, and whose files do not say so.
        var used = UsedNames()
        /// How many reads there were since then.
        var useCount = 0
        /// The entries that were read since the others were last told.
        var untoldUses = UsedNames()
        /// The entries that were changed without the others being told, or when they may not have heard of it.
        var unheard: Set<DiskEntryName> = []
        /// What all processes share; nil as long as this one keeps the index to itself.
        var shared: IndexState?
        /// What it is about to share.
        var joining: IndexState?
        /// Whether the others see there that it owes them something.
        var isOwing = false
        /// How many changes the others had appended when this process last read them.
        var seenChangeCount: UInt64 = 0
        /// How much damage the others had found when this process last looked at all files, or was about to.
        var seenDamage: UInt64 = 0
        /// Others have made the index anew: it is to be read again.
        var mustReload = false
        /// The index that this process told its changes to is gone, and with it perhaps some of them; or it has found files
        /// gone before it told anybody anything.
        var hasLostIndex = false
        /// Others may use the index that this process cannot use now.
        var mayHaveCompany = false
        /// What a look at all files has found that could not be written to a snapshot yet.
        var unsavedScan: Scan?
        /// Counts how often all was forgotten.
        var generation = 0
        var lastEviction: (time: FileTime, hasSucceeded: Bool)?
        var lastOpening: FileTime?
        /// How many times in a row the index could not be used soon after it was asked for.
        var failureCount = 0
        /// Whether somebody else had locked the index then.
        var wasBusy = false
        /// Somebody else has it locked, or the system has run short of something, so that something is to be done soon again.
        var isBusy = false
        /// How many times in a row that has ended in vain.
        var busyCount = 0
        /// Whether to try again for some milliseconds then.
        var isPatient = false
        /// When somebody else's change was last seen to be unfinished, and to be looked at.
        var lastSuspicion: FileTime?
    }

    let order: DiskCacheExpireType
    let directory: DiskDirectory
    /// Told to the app when no lock is held.
    let warnings: DiskIndexWarnings
    let now: @Sendable () -> FileTime

    let state: Mutex<State>
    // In this order, where several are held: an entry's lock or `lockHolder`, `sharing`, `state`. What is shared has locks
    // of its own, taken last.
    let sharing = Mutex<IndexSharing?>(nil)
    let locks = EntryLocks()
    /// For whoever locks the index against other processes.
    let lockHolder = Mutex(())
    /// Whether something waits for ``care(isAsked:)``.
    let needsCare = Atomic<Bool>(true)
    /// Who tells the others, where it cannot.
    let writer = UInt64.random(in: 1 ... .max)

    init(
        of directory: DiskDirectory, order: DiskCacheExpireType, now: @escaping @Sendable () -> FileTime,
        warn: @escaping @Sendable (_ message: String, _ error: FileSystemError?) -> Void
    ) {
        self.directory = directory
        self.order = order
        self.now = now
        warnings = DiskIndexWarnings(warn: warn)
        state = Mutex(State(table: EntryTable(order: order)))
    }

    deinit { _ = leave() }

    /// Whether an entry is there; nil when only its file can tell, as of one that may have expired.
    func contains(_ name: DiskEntryName) -> Bool? {
        guard isUpToDate || catchUp() else { return nil }
        return state.withLock { state in
            guard state.hasBegun, !state.mayHaveCompany, state.isComplete || state.changes?.contains(name) == true,
                !state.doubtful.contains(name)
            else {
                return nil
            }
            guard let record = state.table[name] else { return false }
            return record.expiry == .never ? true : nil
        }
    }

    subscript(name: DiskEntryName) -> IndexRecord? { state.withLock { $0.table[name] } }

    /// What is known now; exact after ``care(isAsked:)``.
    var usage: DiskCacheUsage {
        state.withLock { DiskCacheUsage(count: $0.table.count, byteCount: $0.table.byteCount) }
    }

    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// Whether it was tried to share the index; where there is no directory yet, others may make one.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// The names of all entries that are known.
    var names: [DiskEntryName] {
        let table = state.withLock { $0.table }
        var names: [DiskEntryName] = []
        names.reserveCapacity(table.count)
        table.forEach { names.append($0.name) }
        return names
    }
}

extension DiskIndex.State {
    fileprivate var hasBegun: Bool { shared != nil || lastOpening != nil }
}
