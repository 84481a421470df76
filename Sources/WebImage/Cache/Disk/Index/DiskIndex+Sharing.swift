import Synchronization

/// What other processes are told, and what they tell.
extension DiskIndex {
    /// More news than this are not read by whoever asks whether an entry is there.
    private static let fewNews: UInt64 = 4096

    func tell(_ changes: [Change]) {
        guard !changes.isEmpty else { return }
        sharing.withLock { sharing in
            guard var own = sharing else { return }
            let records = changes.map { JournalRecord($0.change, $0.name, $0.record, writer: own.writer) }
            do throws(FileSystemError) {
                let news = try own.append(records)
                sharing = own
                own.seat.state.addChanges(records.count)
                take(news, writer: own.writer)
                if own.appendedCount >= Self.fewNews { needsCare.store(true, ordering: .relaxed) }
            } catch {
                keepToMyself(&sharing, because: error)
            }
        }
    }

    /// Whether nothing has to be read for what others did: the usual case, at no call to the system.
    var isUpToDate: Bool {
        guard let shared = state.withLock({ $0.shared }) else { return true }
        return shared.freshness.lasts(at: now())
    }

    /// Takes over what other processes did.
    ///
    /// - Parameter limit: How many changes are not too many to be read now.
    /// - Returns: False when there are more; they are read by ``care(now:)``.
    func catchUp(within limit: UInt64 = DiskIndex.fewNews) -> Bool {
        guard let shared = state.withLock({ $0.shared }) else { return true }
        let moment = shared.freshness.moment(at: now())
        guard let reading = shared.reading, isInPlace else {
            shared.noteDamage()
            mustReload()
            return false
        }
        if !reading.unfinished.isEmpty { suspectDeath() }
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
            guard var own = sharing else { return }
            // Before reading: what comes in between is read again, and not missed.
            let count = own.seat.state.reading?.changeCount ?? 0
            do throws(FileSystemError) {
                let news = try own.readOn()
                sharing = own
                state.withLock { $0.seenChangeCount = count }
                take(news, writer: own.writer)
            } catch {
                keepToMyself(&sharing, because: error)
            }
        }
    }

    /// Does what the others did. Where this process changed the same entry in the meantime, the journal has the order of
    /// the notes, and the order of the changes has to be looked up.
    func take(_ news: IndexSharing.News, writer: UInt64) {
        let foreign = news.changes.filter { $0.writer != writer }
        let names = Set(foreign.lazy.filter { $0.change == .insert || $0.change == .remove }.map(\.name))
        let own = Set(news.changes.lazy.filter { $0.writer == writer && $0.change != .use }.map(\.name))
        state.withLock { state in
            for change in news.changes where names.contains(change.name) || change.writer != writer {
                state.table.apply(change)
                if change.change != .use { state.changes?.insert(change.name) }
            }
            state.doubtful.formUnion(names.filter { own.contains($0) || state.inProgress.contains($0) })
            if !state.doubtful.isEmpty { needsCare.store(true, ordering: .relaxed) }
        }
        if news.isBroken || foreign.contains(where: { $0.change == .reload }) { mustReload() }
    }

    /// What others have written anew is to be read, before anything is believed.
    private func mustReload() {
        state.withLock { state in
            state.isComplete = false
            state.changes = state.changes ?? []
            state.mustReload = true
        }
        needsCare.store(true, ordering: .relaxed)
    }

    /// The index cannot be written: this process goes on alone, and the next one will look at the files.
    func keepToMyself(_ sharing: inout IndexSharing?, because error: FileSystemError) {
        sharing?.seat.state.noteDamage()
        sharing?.close()
        sharing = nil
        state.withLock { $0.shared = nil }
        warn(
            "the index of the disk cache is not saved, and has to be made anew at the next start: \(error.reason)",
            error)
    }

    /// Of these entries, nobody is believed before their files were looked at.
    func doubt(_ names: some Sequence<DiskEntryName>) {
        state.withLock { $0.doubtful.formUnion(names) }
        needsCare.store(true, ordering: .relaxed)
    }

    /// Looks at the files that two processes changed at once. Where another is still about it, that is once more to be
    /// done: see ``changing(_:_:)``.
    func settleDoubts() {
        let doubtful = state.withLock { state in
            defer { state.doubtful = [] }
            return state.doubtful
        }
        for name in doubtful { look(at: name, isUsed: false) }
    }
}

extension FileSystemError {
    fileprivate var reason: String { webImageError(stage: .store).reason }
}
