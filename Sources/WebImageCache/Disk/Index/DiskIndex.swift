import FoundationEssentials
import Synchronization
import WebImageCore

/// The index of a disk cache's directory, in memory: the totals, and the order of eviction.
///
/// The index is derived from the files, which alone decide whether an entry exists. One process owns a directory: the
/// one that holds the ``OwnerLock``. All other processes are guests: they read, store and remove as the owner does,
/// leave a mark after a change, list the directories when a caller asks for totals, and try from time to time to become
/// the owner.
///
/// The owner lists a directory again when it is dirty: when its ``DirectoryStamp`` differs from the one of the last
/// listing. One thread at a time lists directories, in the background or for a caller that asks for totals; no read,
/// store or removal waits for that. A listing becomes the table in three steps: it begins with a copy of the table and
/// the stamps; changes that this process makes meanwhile are noted in ``RecentChanges``; at the end the listing replaces
/// the table, except for the changed entries, whose directories stay dirty. A listing whose ``State/generation`` has
/// passed is discarded.
final class DiskIndex: Sendable {
    /// Changes that this process makes during a listing, and before the first one.
    struct RecentChanges {
        /// The entries that were written or removed: their records in the table take precedence over the listing.
        var changed: Set<DiskEntryName> = []
        var used: [DiskEntryName: IndexDate] = [:]
    }

    enum Role {
        /// The process has not tried to take the lock yet, or the directory was replaced since.
        case undecided
        case owner(OwnerLock)
        case guest
    }

    struct State {
        var role = Role.undecided
        var table: EntryTable
        /// Whether the table has all entries of the last listing.
        var isComplete = false
        /// Whether the snapshot was read.
        var isLoaded = false
        /// The stamps of the directories at their last listing.
        var stamps = DirectoryStamps()
        /// Why the lock could not be taken, other than by another owner; told once.
        var claimFailure: FileSystemError?
        /// The guests' mark before the last look.
        var mark: [UInt8]?
        var recent: RecentChanges? = RecentChanges()
        /// The entries that an eviction has chosen, except those that were written since.
        var evicting: Set<DiskEntryName> = []
        /// The uses that are not written to the files yet.
        var uses = RecordedUses()
        /// The number of changes since the last snapshot.
        var unsavedCount = 0
        /// Grows each time that the table or the stamps are discarded: a listing that began before is not published.
        var generation = 0
        var lastEviction: (time: FileTime, hasSucceeded: Bool)?
        /// When the index was last refreshed.
        var lastRefresh: FileTime?
    }

    let order: DiskCacheExpireType
    let directory: DiskDirectory
    let now: @Sendable () -> FileTime

    let state: Mutex<State>
    // Locked before `state` where both are held.
    let locks = EntryLocks()
    /// Serializes attempts to take the owner's lock: of two threads of one process, the second would fail, and make the
    /// process a guest of itself.
    let claiming = Mutex(())
    /// Whether a call of ``refresh(isAsked:isBrokenOff:)`` is due.
    let needsRefresh = Atomic<Bool>(true)

    init(of directory: DiskDirectory, order: DiskCacheExpireType, now: @escaping @Sendable () -> FileTime) {
        self.directory = directory
        self.order = order
        self.now = now
        state = Mutex(State(table: EntryTable(order: order)))
    }

    var files: IndexFiles { IndexFiles(fileSystem: directory.fileSystem, root: directory.root) }

    subscript(name: DiskEntryName) -> IndexRecord? { state.withLock { $0.table[name] } }

    /// Whether the table has all entries: then an entry that ``subscript(_:)`` does not find does not exist, as of the
    /// last listing.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    var isOwner: Bool { state.withLock { $0.ownerLock != nil } }

    /// Whether the owner of the directory is still unknown. The directory may not exist yet.
    var isUndecided: Bool {
        state.withLock { state in
            if case .undecided = state.role { return true }
            return false
        }
    }

    /// The totals as of the last listing, with the changes of this process since.
    var usage: DiskCacheUsage {
        state.withLock { DiskCacheUsage(count: $0.table.count, byteCount: $0.table.byteCount) }
    }

    /// How many of them are the beginnings of interrupted transfers.
    var partialBodyCount: Int { state.withLock { $0.table.partialBodyCount } }
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

    /// Discards the table; changes from now on are noted in a new one.
    mutating func forgetAll() {
        let order = table.order
        (table, stamps, mark) = (EntryTable(order: order), DirectoryStamps(), nil)
        (isComplete, isLoaded, recent) = (false, false, DiskIndex.RecentChanges())
        generation += 1
    }
}
