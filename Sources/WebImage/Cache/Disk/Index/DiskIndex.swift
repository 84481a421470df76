import FoundationEssentials
import Synchronization

/// What the owner of a disk cache's directory has in memory: how much there is, and in which order it goes.
///
/// All of it comes of the files, which alone decide whether an entry is there. One process owns a directory: the one that
/// holds the ``OwnerLock``. All others are its guests: they read, store and remove as it does, leave a mark when they have
/// changed something, list the directories when they are asked for totals, and try from time to time to become the owner.
///
/// The owner lists a directory again when its ``DirectoryStamp`` is another one than at the last look. Looks are taken by one
/// thread at a time, in the background or for a caller who asks for totals; no read, store or removal waits for one.
final class DiskIndex: Sendable {
    /// What this process does while a look is under way, and before the first one.
    struct RecentChanges {
        /// The entries that were written or removed: of these, what the table says counts.
        var changed: Set<DiskEntryName> = []
        var used: [DiskEntryName: IndexDate] = [:]
    }

    enum Role {
        /// Nothing was changed yet, or the directory is another one since.
        case undecided
        case owner(OwnerLock)
        case guest
    }

    struct State {
        var role = Role.undecided
        var table: EntryTable
        /// Whether the table says what was there at the last look.
        var isComplete = false
        /// Whether the snapshot was read.
        var isLoaded = false
        /// The directories as they were when they were last listed.
        var stamps = DirectoryStamps()
        /// Why the lock could not be taken, other than by another owner; told once.
        var claimFailure: FileSystemError?
        /// The guests' mark before the last look.
        var mark: [UInt8]?
        var recent: RecentChanges? = RecentChanges()
        /// The entries that are being evicted, unless they were written since.
        var evicting: Set<DiskEntryName> = []
        /// The uses that are to be written to the files.
        var uses = RecordedUses()
        /// Changes that no snapshot has yet.
        var unsavedCount = 0
        /// Counts how often all was forgotten.
        var generation = 0
        var lastEviction: (time: FileTime, hasSucceeded: Bool)?
        /// When the index was last brought up to date.
        var lastRefresh: FileTime?
    }

    let order: DiskCacheExpireType
    let directory: DiskDirectory
    let now: @Sendable () -> FileTime

    let state: Mutex<State>
    // Taken before `state` where both are held.
    let locks = EntryLocks()
    /// Keeps two threads from asking for the owner's lock at once: the second would be refused, and believe itself a guest.
    let claiming = Mutex(())
    /// Whether ``refresh(isAsked:_:)`` has something to do.
    let needsRefresh = Atomic<Bool>(true)

    init(of directory: DiskDirectory, order: DiskCacheExpireType, now: @escaping @Sendable () -> FileTime) {
        self.directory = directory
        self.order = order
        self.now = now
        state = Mutex(State(table: EntryTable(order: order)))
    }

    var files: IndexFiles { IndexFiles(fileSystem: directory.fileSystem, root: directory.root) }

    subscript(name: DiskEntryName) -> IndexRecord? { state.withLock { $0.table[name] } }

    /// Whether an entry that ``subscript(_:)`` does not know is not there, as far as this process has seen.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    var isOwner: Bool { state.withLock { $0.ownerLock != nil } }

    /// Whether it is still to be found out who owns the directory, which may not be there yet.
    var isUndecided: Bool {
        state.withLock { state in
            if case .undecided = state.role { return true }
            return false
        }
    }

    /// As of the last look, and of what this process has done since.
    var usage: DiskCacheUsage {
        state.withLock { DiskCacheUsage(count: $0.table.count, byteCount: $0.table.byteCount) }
    }
}

extension DiskIndex.State {
    var ownerLock: OwnerLock? {
        if case .owner(let lock) = role { return lock }
        return nil
    }

    var isGuest: Bool {
        if case .guest = role { return true }
        return false
    }

    /// Nothing counts any more but what this process does from now on.
    mutating func forgetAll() {
        let order = table.order
        (table, stamps, mark) = (EntryTable(order: order), DirectoryStamps(), nil)
        (isComplete, isLoaded, recent) = (false, false, DiskIndex.RecentChanges())
        generation += 1
    }
}
