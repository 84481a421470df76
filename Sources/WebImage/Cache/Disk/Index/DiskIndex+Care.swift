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
            state.wasBusy = false
            state.changes = state.changes ?? []
            state.mustReload = false
            return true
        }
        guard isFirst else { return }
        do throws(FileSystemError) {
            // Nobody waits for another process to store a picture.
            guard let changes = try looksAgain ? retryingWhileBusy(sitDown) : sitDown() else { return }
            if looksAgain { lookAgain(changes) } else { tell(changes) }
        } catch {
            guard !error.isBusy else { return state.withLock { $0.wasBusy = true } }
            warnings.add(
                "the index of the disk cache is not used: \(error.webImageError(stage: .disk).reason)", error)
        }
    }

    /// - Returns: What the others are to be told; nil where there is no place.
    private func sitDown() throws(FileSystemError) -> [Change]? {
        if let seat = try IndexSeat.take(usualFiles) { return try beginTelling(from: seat) }
        let beside = IndexFiles(cache: directory.cache, fileSystem: directory.fileSystem, isBeside: true)
        guard let seat = try IndexSeat.take(beside) else { return nil }
        // What the newer version does, nobody says here.
        seat.state.noteDamage()
        return try beginTelling(from: seat)
    }

    private func beginTelling(from seat: IndexSeat) throws(FileSystemError) -> [Change] {
        let reading = seat.state.reading
        let own: IndexSharing
        do throws(FileSystemError) { own = try IndexSharing(seat: seat) } catch {
            seat.leave()
            throw error
        }
        return sharing.withLock { sharing in
            sharing = own
            return state.withLock { state in
                state.shared = seat.state
                state.isLoaded = false
                state.isComplete = false
                state.seenChangeCount = reading?.changeCount ?? 0
                state.seenDamage = reading?.foreignDamage ?? 0
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
                warnings.add("the index of the disk cache in \(directory.cache) is damaged and made anew", nil)
            }
            state.withLock { state in
                state.isLoaded = true
                if contents.trust != .damaged { state.publish(contents.table, isComplete: isComplete) }
            }
        } catch {
            // Where somebody else does not let go of the index, the files tell what is there.
            if !error.isBusy { sharing.withLock { keepToMyself(&$0, because: error) } }
        }
    }

    private func read(by seat: IndexSeat) throws(FileSystemError) -> IndexContents {
        try lockHolder.withLock { _ throws(FileSystemError) in
            try retryingWhileBusy { () throws(FileSystemError) in try seat.lock() }
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
        let reading = shared?.reading
        let damage = reading?.damage ?? 0
        let (table, hasLeftOvers) = directory.scan(known: known, now: now())
        let isDone = state.withLock { state in
            guard state.generation == generation, !state.mustReload else { return false }
            // Told is not done, where somebody has died over it: the files have the last word.
            state.doubtful.formUnion(state.changes ?? [])
            state.seenDamage = reading?.foreignDamage ?? 0
            state.publish(table, isComplete: true)
            return true
        }
        guard isDone else { return needsCare.store(true, ordering: .relaxed) }
        compact(after: Scan(damage: damage, hasLeftOvers: hasLeftOvers))
    }
}

extension DiskIndex.State {
    /// Where the index cannot be read or written, an hour is soon enough to try again; where somebody else had it locked,
    /// a second.
    func isJoiningDue(at time: FileTime) -> Bool {
        shared == nil && lastOpening.map { $0 <= time.before(wasBusy ? 1 : 3600) || $0 > time } ?? true
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
        if isComplete, shared != nil { changes = nil }
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
