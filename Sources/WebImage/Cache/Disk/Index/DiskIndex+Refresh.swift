import Synchronization

/// Reading the snapshot, listing directories, and writing a new snapshot. By one thread at a time.
extension DiskIndex {
    /// What a caller does after a refresh.
    struct Refreshed {
        /// Whether to try again after a while, since the system ran short of something.
        var isIncomplete = false
        /// What the app is told, where no lock is held.
        var warning: (message: String, error: FileSystemError?)?
    }

    /// Brings the table up to date: as the owner, and as a guest that is asked.
    ///
    /// - Parameters:
    ///   - isAsked: Whether somebody waits for totals, which makes a guest list all directories.
    ///   - isBrokenOff: Asked while that goes on; once true, the rest is left to the next call.
    func refresh(isAsked: Bool = false, isBrokenOff: @Sendable () -> Bool = { false }) -> Refreshed {
        needsRefresh.store(false, ordering: .relaxed)
        resignIfReplaced()
        claim(isRepeated: true)
        let time = now()
        state.withLock { $0.lastRefresh = time }
        let isOwner = state.withLock { $0.ownerLock != nil }
        guard isOwner || isAsked else { return Refreshed(warning: claimWarning) }
        var refreshed = Refreshed(warning: claimWarning)
        if isOwner { refreshed.warning = load() ?? refreshed.warning }
        refreshed.isIncomplete = !look(isAsked: isAsked, isBrokenOff)
        if isBrokenOff() { needsRefresh.store(true, ordering: .relaxed) }
        if isOwner, state.withLock({ $0.isSnapshotDue }) { refreshed.warning = save() ?? refreshed.warning }
        return refreshed
    }

    /// A guest's totals are true for a moment only.
    func forgetIfGuest() {
        state.withLock { if $0.ownerLock == nil { $0.forgetAll() } }
    }

    /// Whether a last snapshot is worth its time.
    var isLastSnapshotDue: Bool { state.withLock { $0.isLastSnapshotDue } }

    /// Writes a last snapshot where that is due, and leaves ownership to the next process.
    func close() {
        resignIfReplaced()
        if isLastSnapshotDue { _ = save() }
        let former = state.withLock { state in
            defer { state.role = .guest }
            return state.ownerLock
        }
        withExtendedLifetime(former) {}
    }

    // MARK: The snapshot

    /// Reads what the last owner knew. It counts where a look finds the directories as they were then.
    private func load() -> (String, FileSystemError?)? {
        guard !state.withLock({ $0.isLoaded }) else { return nil }
        switch (try? files.readSnapshot()) ?? .none {
        case .whole(let table, let stamps):
            // A table of another order has no dates of creation.
            let isUsable = table.order == order || order != .creationDate
            let known = isUsable && table.order != order ? EntryTable(order: order, table) : table
            state.withLock { $0.load(isUsable ? known : nil, stamps) }
        case .none:
            state.withLock { $0.load(nil, DirectoryStamps()) }
        case .damaged:
            files.removeSnapshot()
            state.withLock { $0.load(nil, DirectoryStamps()) }
            return ("the index of the disk cache in \(directory.cache) is damaged and made anew", nil)
        }
        return nil
    }

    private func save() -> (String, FileSystemError?)? {
        let (table, stamps, count) = state.withLock { ($0.table, $0.stamps, $0.unsavedCount) }
        do throws(FileSystemError) {
            try files.writeSnapshot(table, stamps)
            state.withLock { $0.unsavedCount -= min(count, $0.unsavedCount) }
            return nil
        } catch {
            // To be tried again after as many changes.
            state.withLock { $0.unsavedCount = 1 }
            return ("the index of the disk cache is not saved: \(error.webImageError(stage: .store).reason)", error)
        }
    }

    // MARK: Looking

    /// Lists the directories that are not as they were at the last look. What this process does meanwhile counts.
    ///
    /// - Returns: False when the system ran short of something.
    private func look(isAsked: Bool, _ isBrokenOff: @Sendable () -> Bool) -> Bool {
        // Read before the directories: a mark that is left later leads to another look. A stamp counts only where its
        // directory had not changed for a while at this time.
        let mark = files.mark
        let lock = state.withLock { $0.ownerLock }
        guard let look = state.withLock({ $0.beginLook(mark, isAsked: isAsked) }) else { return true }
        let time = lock.flatMap { try? $0.fileSystemTime() } ?? FileTime(nanoseconds: .min)
        guard let current = try? directory.stamps(now: now()) else { return false }
        let dirty = look.stamps.dirty(now: current)
        let listing = directory.listing(
            of: dirty.filter { current[$0] != nil }, known: look.known, now: now(), isBrokenOff)
        guard let listing else { return isBrokenOff() }
        let table = look.known.updated(by: listing, of: dirty)
        return state.withLock { state in
            // Overtaken by a call that believes nothing any more: the next refresh looks again.
            guard state.generation == look.generation else { return false }
            let changed = Set(state.recent?.changed.map(\.directory) ?? [])
            state.publish(table, listedCount: listing.entries.count)
            // Another process may have had the last word on what this process has changed meanwhile.
            state.stamps = current.settled(at: time, without: listing.unsettled.union(changed))
            state.mark = mark
            return true
        }
    }
}

/// What a look begins with.
private struct Look {
    let known: EntryTable
    let stamps: DirectoryStamps
    let generation: Int
}

extension DiskIndex.State {
    /// Takes a snapshot's table over, but for what this process has done by now.
    fileprivate mutating func load(_ snapshot: EntryTable?, _ stamps: DirectoryStamps) {
        isLoaded = true
        guard var table = snapshot else { return }
        for name in recent?.changed ?? [] {
            if let record = self.table[name] { table.insert(record, for: name) } else { table.remove(name) }
        }
        (self.table, self.stamps) = (table, stamps)
    }

    /// - Returns: nil when nothing has to be looked at: no guest has left another mark, and nobody asks.
    fileprivate mutating func beginLook(_ mark: [UInt8]?, isAsked: Bool) -> Look? {
        guard isAsked || recent != nil || mark != self.mark else { return nil }
        // What was done before is found in the files.
        if isComplete { recent = DiskIndex.RecentChanges() } else { recent?.changed = [] }
        return Look(known: table, stamps: stamps, generation: generation)
    }

    fileprivate mutating func publish(_ new: EntryTable, listedCount: Int) {
        let (known, recent) = (table, self.recent ?? DiskIndex.RecentChanges())
        table = new
        for name in recent.changed {
            if let record = known[name] { table.insert(record, for: name) } else { table.remove(name) }
        }
        for (name, date) in recent.used { _ = table.use(name, at: date) }
        self.recent = nil
        isComplete = true
        unsavedCount += listedCount
    }
}
