import Synchronization

/// What this process does with the files.
extension DiskIndex {
    /// Changes the file of one entry, and notes in `body` what came of it. One change of an entry at a time; should the
    /// process die in the middle, another one looks at all files. Where others are in the middle of a change meanwhile,
    /// what they tell need not come in the order of what they did: the file is looked at again later.
    ///
    /// - Parameter isOneOfMany: Whether the caller itself asks what the others do meanwhile, once for many entries.
    func changing<Result, Failure: Error>(
        _ name: DiskEntryName, isOneOfMany: Bool = false, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try locks.withLock(name) { () throws(Failure) in
            let generation = beginChange(of: name, isOneOfMany: isOneOfMany)
            defer { endChange(of: name, since: generation, isOneOfMany: isOneOfMany) }
            return try body()
        }
    }

    /// - Returns: The generation of what is known.
    private func beginChange(of name: DiskEntryName, isOneOfMany: Bool) -> Int {
        if !isOneOfMany { leaveIfRemoved() }
        joinAtFirst()
        let (shared, generation) = state.withLock { state in
            let shared = state.shared ?? state.joining
            state.inProgress[name] = Undertaking(shared: shared)
            return (shared, state.generation)
        }
        shared?.begin()
        if shared == nil { hold(leaveSign(), for: name) }
        return generation
    }

    private func hold(_ sign: UntoldSign?, for name: DiskEntryName) {
        state.withLock { state in
            guard let known = state.inProgress[name], known.shared == nil, known.sign == nil else { return }
            state.inProgress[name]?.sign = sign
        }
    }

    private func endChange(of name: DiskEntryName, since generation: Int, isOneOfMany: Bool) {
        let areOthersBusy = !isOneOfMany && state.withLock { $0.inProgress[name]?.shared }?.areOthersBusy == true
        let (undertaking, isDoubtful) = state.withLock { state in
            // The others may not have seen that this one was at it, nor what was made anew meanwhile what it did.
            if areOthersBusy || state.generation != generation { state.doubtful.insert(name) }
            state.noteDebts()
            return (state.inProgress.removeValue(forKey: name), state.doubtful.contains(name))
        }
        if isDoubtful { needsCare.store(true, ordering: .relaxed) }
        undertaking?.shared?.end()
    }

    /// With its first change a process joins the others, lest it die untold; reading the index has time.
    func joinAtFirst() {
        if state.withLock({ $0.shared == nil && $0.lastOpening == nil }) { join() }
        if state.withLock({ $0.shared == nil && $0.lastOpening != nil }), isJoiningDue {
            needsCare.store(true, ordering: .relaxed)
        }
    }

    /// Alone, as long as the index cannot be used, a process leaves a sign: whoever looks into it is to know that it does not
    /// say everything, should this process die before it can tell.
    ///
    /// - Returns: What is to be held while anything is under way of which nobody is told.
    @discardableResult
    func leaveSign() -> UntoldSign? {
        directory.isThere ? UntoldSign(in: usualFiles, by: writer) : nil
    }

    /// Notes a file that was written, or that was found to be there. To be called while ``changing(_:_:)`` the entry.
    func insert(_ record: IndexRecord, for name: DiskEntryName) {
        let today = IndexDate(now())
        let (news, isShared) = state.withLock { state in
            let record = record.keepingCreation(of: state.table[name])
            // Told first: whoever is put into the row later counts as no older.
            let uses = state.shared == nil ? [] : state.takeUntoldUses()
            state.table.forgetFuture(after: today)
            state.table.insert(record, for: name)
            state.changes?.insert(name)
            state.evicting.remove(name)
            return (uses + [(.insert, name, state.table[name] ?? record)], state.shared != nil)
        }
        tellAtOnce(news, isShared: isShared)
    }

    /// Notes that a file is gone. To be called while ``changing(_:_:)`` the entry.
    func remove(_ name: DiskEntryName) {
        let isShared = forget(name)
        tellAtOnce([(.remove, name, .nothing)], isShared: isShared)
    }

    /// Notes that a file is gone, of which the others are told otherwise.
    ///
    /// - Returns: Whether there are others to be told.
    @discardableResult
    func forget(_ name: DiskEntryName) -> Bool {
        state.withLock { state in
            state.table.remove(name)
            state.changes?.insert(name)
            return state.shared != nil
        }
    }

    private func tellAtOnce(_ changes: [Change], isShared: Bool) {
        guard !isShared else { return tell(changes) }
        note(unheard: changes)
        joinAtFirst()
        // Who has joined meanwhile may have done so before this was noted.
        guard state.withLock({ $0.shared == nil }) else { return tell(changes) }
        // The directory may not have been there before.
        let isSeen = state.withLock { state in changes.allSatisfy { state.inProgress[$0.name]?.isSeen == true } }
        if !isSeen { leaveSign() }
    }

    func note(unheard changes: some Sequence<Change>) {
        let names = changes.lazy.filter { $0.change == .insert || $0.change == .remove }.map(\.name)
        state.withLock { $0.unheard.formUnion(names) }
    }

    var usualFiles: IndexFiles { IndexFiles(cache: directory.cache, fileSystem: directory.fileSystem) }

    /// What became of a use that was noted.
    enum Use {
        /// It waits for ``tellUses()``, as so many do.
        case waits(count: Int)
        /// The index does not know that file, and nothing under way will tell it.
        case isUnknown
    }

    /// Notes that a file was read. The others are told by ``tellUses()``.
    func use(_ name: DiskEntryName, status: FileStatus, at time: FileTime) -> Use {
        state.withLock { state in
            let date = IndexDate(time)
            if let known = state.table[name] {
                guard known.size == IndexRecord(status, now: time).size else { return .isUnknown }
                if order == .accessDate { state.table.forgetFuture(after: date) }
                _ = state.table.use(name, at: date)
            } else if state.isComplete || state.changes?.contains(name) == true {
                return .isUnknown
            }
            state.noteUse(of: name, at: date)
            state.untoldUses.insert(name)
            if !status.tells(ofUseAt: time) { state.used.insert(name) }
            state.useCount += 1
            return .waits(count: state.useCount)
        }
    }

    /// Notes what a file says of its entry's end, unless it may be another file by now.
    func note(_ expiry: IndexRecord.Expiry, of name: DiskEntryName, ifStill record: IndexRecord) {
        state.withLock { state in
            guard state.table[name] == record, record.expiry != expiry, state.inProgress[name] == nil else { return }
            var record = record
            record.expiry = expiry
            state.table.update(record, for: name)
        }
    }

    /// Notes what stands in the place of an entry, whoever put it there.
    ///
    /// - Parameters:
    ///   - isUsed: Whether it was just read.
    ///   - isNews: Whether the others may know less of it than this process does.
    ///   - isSettling: Whether it is doubtful no more then.
    func look(at name: DiskEntryName, isUsed: Bool, isNews: Bool = false, isSettling: Bool = false) {
        changing(name) {
            guard let status = try? directory.status(of: name) ?? .nothing else {
                // To be tried again after a while.
                if isSettling { state.withLock { $0.isBusy = true } }
                return
            }
            if isSettling { state.withLock { _ = $0.doubtful.remove(name) } }
            guard status.kind == .file else {
                if self[name] != nil || isNews { remove(name) }
                return
            }
            let time = now()
            var (record, _) = directory.record(of: name, status, order: order, now: time)
            if var known = self[name], known.size == record.size {
                let expiry = known.expiry
                // Of two that are as large, one may have an end.
                if isSettling || known.modified != record.modified {
                    known.expiry = ((try? directory.summary(of: name)) ?? nil)?.expiry ?? .unknown
                }
                guard isNews || known.expiry != expiry else { return }
                record = known
            }
            if isUsed { record.used = IndexDate(time) }
            insert(record, for: name)
        }
    }

    /// Tells the others, and the next process, what was read.
    ///
    /// - Returns: The entries, with the time of each one's last use.
    func tellUses() -> [(name: DiskEntryName, time: FileTime)] {
        let (times, untold) = state.withLock { state in
            let times = state.takeKnown(\.used).map { ($0.name, $0.record.used.time) }
            state.useCount = 0
            return (times, state.shared == nil ? [] : state.takeUntoldUses())
        }
        if !untold.isEmpty { tell(untold) }
        return times
    }

    /// Forgets everything: somebody removed files behind the cache's back.
    func invalidate() {
        state.withLock { $0.table = EntryTable(order: order) }
        distrust()
    }

    /// Believes nothing any more before all files were looked at.
    func distrust() {
        let shared = state.withLock { state in
            state.forgetAll()
            // To be noted in the index that this process is about to join.
            if state.shared == nil { state.hasLostIndex = true }
            return state.shared
        }
        shared?.noteDamage()
        needsCare.store(true, ordering: .relaxed)
    }
}

extension DiskIndex.State {
    /// Nothing counts any more but what this process does from now on.
    mutating func forgetAll() {
        isComplete = false
        changes = []
        unsavedScan = nil
        generation += 1
    }

    /// The others see whether this process has done something that it has not surely told them.
    mutating func noteDebts() {
        let isOwing = !unheard.isEmpty || !doubtful.isEmpty
        // Others wait for this lock: nothing is written, nor the state's own lock taken, without need.
        guard let shared, isOwing != self.isOwing else { return }
        shared.owe(isOwing)
        self.isOwing = isOwing
    }

    /// What is being looked up meanwhile may not know of it.
    mutating func noteUse(of name: DiskEntryName, at date: IndexDate) {
        if changes != nil { usesMeanwhile[name] = max(usesMeanwhile[name] ?? date, date) }
    }

    /// What the others do not know yet of reading, the oldest first.
    mutating func takeUntoldUses() -> [DiskIndex.Change] {
        takeKnown(\.untoldUses).map { (.use, $0.name, $0.record) }.sorted { $0.record.used < $1.record.used }
    }

    /// Takes those whose entries are known; as long as not all are, the others stay.
    mutating func takeKnown(_ names: WritableKeyPath<Self, UsedNames>) -> [EntryTable.Item] {
        self[keyPath: names].take().compactMap { name in
            if let record = table[name] { return (name, record) }
            if !isComplete { self[keyPath: names].insert(name) }
            return nil
        }
    }
}

extension FileStatus {
    /// Whether the file says that it was read then, or less than a minute before. To write that down takes as long as half
    /// of a read; the index knows it to the second, and should it be lost, a minute decides nothing.
    fileprivate func tells(ofUseAt time: FileTime) -> Bool {
        let last = max(accessed, modified)
        return last <= time && last > time.before(60)
    }

    /// Where there is no file.
    fileprivate static let nothing = FileStatus(
        kind: .other, size: 0, inode: 0, accessed: FileTime(nanoseconds: 0), modified: FileTime(nanoseconds: 0))
}
