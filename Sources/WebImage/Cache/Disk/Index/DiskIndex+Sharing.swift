import Synchronization

/// What other processes are told, and what they tell.
extension DiskIndex {
    /// More news than this are not read by whoever asks whether an entry is there.
    private static let fewNews: UInt64 = 4096
    private static let newsAtOnce = 256

    func tell(_ changes: [Change]) {
        sharing.withLock { tell(changes, by: &$0) }
    }

    /// Does so for whoever holds what is shared.
    func tell(_ changes: [Change], by sharing: inout IndexSharing?) {
        guard !changes.isEmpty else { return }
        let isHeard = share(&sharing) { own throws(FileSystemError) in
            let records = changes.map { JournalRecord($0.change, $0.name, $0.record, writer: own.writer) }
            let news = try own.append(records)
            own.seat.state.addChanges(records.count, journalCount: own.journal.knownCount, of: own.journal.epoch)
            take(news, writer: own.writer)
            if own.appendedCount >= Self.fewNews { needsCare.store(true, ordering: .relaxed) }
            return !news.isBroken
        }
        if isHeard == true {
            state.withLock { $0.didTell(changes) }
        } else {
            // To be told once more, when the index can be used again.
            note(unheard: changes)
        }
    }

    /// Does something with what is shared; where that fails, this process goes on alone.
    ///
    /// - Returns: nil when it failed, or nothing is shared.
    func share<Result>(
        _ sharing: inout IndexSharing?, _ work: (inout IndexSharing) throws(FileSystemError) -> Result
    ) -> Result? {
        guard var own = sharing else { return nil }
        do throws(FileSystemError) {
            let result = try work(&own)
            sharing = own
            return result
        } catch {
            // With the files as they are now: some were closed on the way, and others opened.
            sharing = own
            if error.isBusy {
                state.withLock { $0.isBusy = true }
            } else if error.isLost {
                mustReload()
            } else {
                keepToMyself(&sharing, because: error)
            }
            return nil
        }
    }

    /// Whether nothing has to be read for what others did: the usual case, at no call to the system.
    var isUpToDate: Bool {
        let (shared, hasTried) = state.withLock { ($0.shared, $0.lastOpening != nil) }
        if let shared { return shared.freshness.lasts(at: now()) }
        if hasTried, isJoiningDue { needsCare.store(true, ordering: .relaxed) }
        return true
    }

    var isJoiningDue: Bool {
        let time = now()
        return state.withLock { $0.isJoiningDue(at: time) }
    }

    /// Takes over what other processes did.
    ///
    /// - Parameter limit: How many changes are not too many to be read now.
    /// - Returns: False when there are more, or something was damaged; that is seen to by ``care(isAsked:)``.
    func catchUp(within limit: UInt64 = DiskIndex.fewNews) -> Bool {
        guard let shared = state.withLock({ $0.shared }) else { return true }
        let moment = shared.freshness.moment(at: now())
        guard let reading = shared.reading, isInPlace else {
            // Who has just left it has seen that already.
            guard state.withLock({ $0.shared === shared }) else { return false }
            shared.noteDamage()
            mustReload()
            return false
        }
        guard !hasNewDamage(reading) else { return false }
        if !reading.unsettled.isEmpty {
            suspectDeath()
        } else if state.withLock({ !$0.doubtful.isEmpty }) {
            needsCare.store(true, ordering: .relaxed)
        }
        let count = reading.changeCount &- state.withLock { $0.seenChangeCount }
        guard count > 0 else {
            shared.freshness.note(moment)
            return true
        }
        guard count <= limit else {
            needsCare.store(true, ordering: .relaxed)
            return false
        }
        readNews()
        return true
    }

    /// Whether others have found something that only a look at all files can mend, and nobody has done that yet.
    private func hasNewDamage(_ reading: IndexState.Reading) -> Bool {
        let isNew = state.withLock { state in
            defer { state.seenDamage = reading.foreignDamage }
            guard state.seenDamage != reading.foreignDamage, reading.isDamaged else { return false }
            state.forgetAll()
            return true
        }
        if isNew { needsCare.store(true, ordering: .relaxed) }
        return isNew
    }

    /// Whether the index is still the one that others find; not looked at while somebody reads or writes it, who looks.
    private var isInPlace: Bool {
        sharing.withLockIfAvailable { sharing in (try? sharing?.isRemoved()) != true } ?? true
    }

    /// Somebody else is in the middle of a change, or has died over it: which of the two is asked once a second.
    private func suspectDeath() {
        let time = now()
        let isDue = state.withLock { state in
            guard state.lastSuspicion.map({ $0 <= time.before(1) || $0 > time }) ?? true else { return false }
            state.lastSuspicion = time
            return true
        }
        if isDue { needsCare.store(true, ordering: .relaxed) }
    }

    func readNews() {
        sharing.withLock { sharing in
            share(&sharing) { own throws(FileSystemError) in
                // Before reading: what comes in between is read again, and not missed.
                let count = own.seat.state.reading?.changeCount ?? 0
                let news = try own.readOn()
                state.withLock { $0.seenChangeCount = count }
                take(news, writer: own.writer)
            }
        }
    }

    /// Begins a new journal for all; the seat holds the lock.
    ///
    /// - Returns: The journal's number, with all that is known from before it; nil when not all is known.
    func beginJournal(by seat: IndexSeat) -> (epoch: UInt64, table: EntryTable)? {
        sharing.withLock { sharing -> (epoch: UInt64, table: EntryTable)? in
            guard sharing?.seat.state === seat.state else { return nil }
            return share(&sharing) { own throws(FileSystemError) -> (epoch: UInt64, table: EntryTable)? in
                let news = try own.beginJournal()
                take(news, writer: own.writer)
                return state.withLock { state in
                    // Others may have made it anew, and know better.
                    state.isComplete && !state.mustReload ? (own.journal.epoch, state.table) : nil
                }
            } ?? nil
        }
    }

    /// Does what the others did. Where this process changed the same entry in the meantime, the journal has the order of
    /// the notes, and the order of the changes has to be looked up.
    func take(_ news: IndexSharing.News, writer: UInt64) {
        let foreign = news.changes.filter { $0.writer != writer }
        let names = Set(foreign.lazy.filter { $0.change == .insert || $0.change == .remove }.map(\.name))
        let own = Set(news.changes.lazy.filter { $0.writer == writer && $0.change != .use }.map(\.name))
        var ownUses: [DiskEntryName: IndexDate] = [:]
        // Some at a time: whoever asks whether an entry is there waits for the lock.
        for start in stride(from: 0, to: news.changes.count, by: Self.newsAtOnce) {
            let some = news.changes[start..<min(start + Self.newsAtOnce, news.changes.count)]
            let isDoubtful = state.withLock { state in
                state.take(some, of: writer, doubting: names, alsoOf: own, keeping: &ownUses)
            }
            if isDoubtful { needsCare.store(true, ordering: .relaxed) }
        }
        if news.isBroken || foreign.contains(where: { $0.change == .reload }) { mustReload() }
    }

    /// What others have written anew is to be read, before anything is believed.
    func mustReload() {
        state.withLock { state in
            guard state.shared != nil else { return }
            state.isComplete = false
            state.changes = state.changes ?? []
            state.mustReload = true
        }
        needsCare.store(true, ordering: .relaxed)
    }

    /// The index cannot be written: this process goes on alone until it can, and remembers what it changes to tell it then. What
    /// was not told so far is damage, and what is under way has a sign.
    func keepToMyself(_ sharing: inout IndexSharing?, because error: FileSystemError) {
        let left = sharing
        left?.seat.state.noteDamage()
        sharing = nil
        let time = now()
        state.withLock { state in
            state.shared = nil
            state.mustReload = false
            state.noteFailure(at: time)
            state.mayHaveCompany = true
            // What was read of the others' changes on the way is lost as well.
            state.forgetAll()
        }
        if let left { giveUp(left) }
        needsCare.store(true, ordering: .relaxed)
        warnings.add(
            "the index of the disk cache is not saved, and has to be made anew at the next start: \(error.reason)",
            error)
    }

    /// Of these entries, nobody is believed before their files were looked at.
    func doubt(_ names: some Sequence<DiskEntryName>) {
        state.withLock { state in
            state.doubtful.formUnion(names)
            state.noteDebts()
        }
        needsCare.store(true, ordering: .relaxed)
    }

    /// Looks at the files that two processes changed at once. Where another is still about it, that is once more to be
    /// done, after a while: it may be stopped for long.
    ///
    /// - Parameter isAsked: Whether somebody waits for what is there now.
    func settleDoubts(isAsked: Bool) {
        guard !state.withLock({ $0.doubtful.isEmpty }) else { return }
        // What those have done who are not at it any more is told by now, and believed before the file is looked at.
        let areOthersBusy = state.withLock { $0.shared }?.areOthersBusy ?? false
        if areOthersBusy { state.withLock { $0.isBusy = true } }
        guard isAsked || !areOthersBusy else { return }
        readNews()
        // Whoever is at one of them is not waited for: it is looked at when that has ended.
        let doubtful = state.withLock { $0.doubtful.subtracting($0.inProgress.keys) }
        for name in doubtful { look(at: name, isUsed: false, isSettling: !areOthersBusy) }
    }
}

extension DiskIndex.State {
    /// - Parameters:
    ///   - writer: This process. What it did itself counts once more where others have changed the same entry: as long as
    ///     that is doubtful, the table says what whoever reads the journal believes, lest he be left with it.
    ///   - names: The entries that others have changed.
    ///   - own: Those that this process has changed as well.
    ///   - ownUses: When those were read last that it has changed itself, which those changes do not say.
    /// - Returns: Whether anything is doubtful now.
    fileprivate mutating func take(
        _ news: ArraySlice<JournalRecord>, of writer: UInt64, doubting names: Set<DiskEntryName>,
        alsoOf own: Set<DiskEntryName>, keeping ownUses: inout [DiskEntryName: IndexDate]
    ) -> Bool {
        for change in news
        where change.writer != writer || names.contains(change.name) || doubtful.contains(change.name) {
            let used = table[change.name]?.used
            table.apply(change)
            if change.change == .insert { evicting.remove(change.name) }
            if change.writer == writer { keepUse(of: change.name, at: used, in: &ownUses) }
            if change.change == .use {
                noteUse(of: change.name, at: change.record.used)
            } else {
                changes?.insert(change.name)
            }
            guard names.contains(change.name) else { continue }
            if own.contains(change.name) || inProgress[change.name] != nil { doubtful.insert(change.name) }
        }
        noteDebts()
        return !doubtful.isEmpty
    }

    private mutating func keepUse(
        of name: DiskEntryName, at date: IndexDate?, in uses: inout [DiskEntryName: IndexDate]
    ) {
        guard let last = [date, uses[name]].compactMap(\.self).max() else { return }
        uses[name] = last
        _ = table.use(name, at: last)
    }
}

extension FileSystemError {
    fileprivate var reason: String { webImageError(stage: .store).reason }
}
