import FoundationEssentials
import Synchronization

/// What the index does beside the road: reading its files, looking at the entries' files, making a new snapshot. By one
/// thread at a time.
extension DiskIndex {
    /// Makes the index complete, and does what waits to be done.
    func care() {
        needsCare.store(false, ordering: .relaxed)
        // Others may begin anew while this one reads; after that often, it goes by the files.
        for _ in 0..<3 {
            buryDead()
            _ = catchUp(within: .max)
            leaveIfOutdated()
            join(lookingAgain: true)
            load()
            if !state.withLock({ $0.mustReload }) { break }
        }
        if !isComplete { rebuild() }
        settleDoubts()
        compactIfDue()
    }

    /// Closes what is open. The others, and the next process, know all that this one does.
    ///
    /// - Returns: What was read since the files were last told.
    func leave() -> [(name: DiskEntryName, time: FileTime)] {
        settleDoubts()
        let uses = tellUses()
        lockHolder.withLock { _ in sharing.withLock { $0 }?.noteJournal() }
        sharing.withLock { sharing in
            sharing?.close()
            sharing = nil
        }
        return uses
    }

    /// What somebody did who died in the middle of it, only the files tell.
    private func buryDead() {
        guard let shared = state.withLock({ $0.shared }), shared.buryDead() else { return }
        distrust()
    }

    private func leaveIfOutdated() {
        sharing.withLock { sharing in
            guard let own = sharing else { return }
            guard state.withLock({ $0.mustReload }) || !own.seat.isInPlace else { return }
            own.close()
            sharing = nil
            state.withLock { state in
                state.shared = nil
                state.lastOpening = nil
            }
        }
    }

    /// From now on the others are told what this process does, beginning with what it did since it started.
    ///
    /// - Parameter looksAgain: Whether to look at the files first: somebody else may have changed them since. Not while
    ///   an entry is being changed.
    func join(lookingAgain looksAgain: Bool = false) {
        let time = now()
        guard state.withLock({ $0.isJoiningDue(at: time) }), directory.isThere else { return }
        let isFirst = state.withLock { state in
            guard state.isJoiningDue(at: time) else { return false }
            state.lastOpening = time
            state.isLoaded = false
            state.isComplete = false
            state.changes = state.changes ?? []
            state.mustReload = false
            return true
        }
        guard isFirst else { return }
        do throws(FileSystemError) {
            guard let changes = try sitDown() else { return }
            if looksAgain { lookAgain(changes) } else { tell(changes) }
        } catch {
            warn("the index of the disk cache is not used: \(error.webImageError(stage: .disk).reason)", error)
        }
    }

    /// - Returns: What the others are to be told; nil where there is no place.
    private func sitDown() throws(FileSystemError) -> [Change]? {
        let usual = IndexFiles(cache: directory.cache, fileSystem: directory.fileSystem)
        if let seat = try IndexSeat.take(usual) { return try beginTelling(from: seat) }
        let beside = IndexFiles(cache: directory.cache, fileSystem: directory.fileSystem, isBeside: true)
        guard let seat = try IndexSeat.take(beside) else { return nil }
        // What the newer version does, nobody says here.
        seat.state.noteDamage()
        return try beginTelling(from: seat)
    }

    private func beginTelling(from seat: IndexSeat) throws(FileSystemError) -> [Change] {
        let count = seat.state.reading?.changeCount ?? 0
        let own: IndexSharing
        do throws(FileSystemError) { own = try IndexSharing(seat: seat) } catch {
            seat.leave()
            throw error
        }
        return sharing.withLock { sharing in
            sharing = own
            return state.withLock { state in
                state.shared = seat.state
                state.seenChangeCount = count
                defer { state.untoldUses = [] }
                return state.ownChanges
            }
        }
    }

    private func lookAgain(_ changes: [Change]) {
        tell(changes.filter { $0.change == .use })
        for change in changes where change.change != .use { look(at: change.name, isUsed: false, isNews: true) }
    }

    private func load() {
        guard let seat = sharing.withLock({ $0?.seat }), !state.withLock({ $0.isLoaded }) else { return }
        do throws(FileSystemError) {
            let contents = try read(by: seat)
            let isComplete = contents.trust == .complete
            if contents.trust == .damaged {
                warn("the index of the disk cache in \(directory.cache) is damaged and made anew", nil)
            }
            state.withLock { state in
                state.isLoaded = true
                if contents.trust != .damaged { state.publish(contents.table, isComplete: isComplete) }
            }
        } catch {
            sharing.withLock { keepToMyself(&$0, because: error) }
        }
    }

    private func read(by seat: IndexSeat) throws(FileSystemError) -> IndexContents {
        try lockHolder.withLock { _ throws(FileSystemError) in
            try seat.lock()
            defer { seat.unlock() }
            var contents = try IndexContents.read(by: seat, order: order)
            guard contents.trust == .complete else { return contents }
            let hasLeftOvers = directory.refresh(&contents.table, since: contents.time, now: now())
            if hasLeftOvers { seat.state.noteLeftOvers() }
            return contents
        }
    }

    /// Looks at all files.
    private func rebuild() {
        // Also what nobody has counted any more, because he died.
        readNews()
        let (generation, known, shared) = state.withLock { ($0.generation, $0.table, $0.shared) }
        let damage = shared?.reading?.damage ?? 0
        let (table, hasLeftOvers) = directory.scan(known: known, now: now())
        let isDone = state.withLock { state in
            guard state.generation == generation, !state.mustReload else { return false }
            // Told is not done, where somebody has died over it: the files have the last word.
            state.doubtful.formUnion(state.changes ?? [])
            state.publish(table, isComplete: true)
            return true
        }
        guard isDone else { return needsCare.store(true, ordering: .relaxed) }
        compact(after: Scan(damage: damage, hasLeftOvers: hasLeftOvers))
    }
}

extension DiskIndex.State {
    /// Where the index cannot be read or written, an hour is soon enough to try again.
    func isJoiningDue(at time: FileTime) -> Bool {
        shared == nil && lastOpening.map { $0 <= time.before(3600) } ?? true
    }

    /// Takes over a table, except for what this process has changed in the meantime.
    mutating func publish(_ new: EntryTable, isComplete: Bool) {
        let own = ownChanges
        table = new
        for (change, name, _) in own where change != .use { table.remove(name) }
        for (change, name, record) in own {
            switch change {
            case .insert: table.insert(record, for: name)
            case .use: _ = table.use(name, at: record.used)
            default: break
            }
        }
        self.isComplete = isComplete
        // As long as nobody else was told, what this process did is to be known.
        if isComplete, lastOpening != nil { changes = nil }
    }

    /// What this process has changed since it began to load or to look at the files, and what it has read since the
    /// others were last told, the oldest first.
    var ownChanges: [DiskIndex.Change] {
        let order = table.order
        let changed: [DiskIndex.Change] = (changes ?? []).map { name in
            table[name].map { (.insert, name, $0) } ?? (.remove, name, .nothing)
        }
        let used = untoldUses.subtracting(changes ?? [])
            .compactMap { name -> DiskIndex.Change? in table[name].map { (.use, name, $0) } }
        return (changed + used).sorted { $0.record[order] < $1.record[order] }
    }
}
