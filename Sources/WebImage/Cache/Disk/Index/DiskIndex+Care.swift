import FoundationEssentials
import Synchronization

/// What the index does beside the road: reading its files, looking at the entries' files, making a new snapshot. By one
/// thread at a time.
extension DiskIndex {
    /// Makes the index complete, and does what waits to be done.
    ///
    /// - Parameters:
    ///   - isAsked: Whether somebody waits for what is there now: where others have the index locked, or it cannot be used,
    ///     the files tell.
    ///   - isBrokenOff: Asked while that goes on; once true, the rest is left to the next call.
    /// - Returns: After how many milliseconds this is to be done again, since somebody else has the index locked.
    @discardableResult
    func care(isAsked: Bool = false, isBrokenOff: @Sendable () -> Bool = { false }) -> Int? {
        state.withLock { state in
            state.isPatient = isAsked
            state.isBusy = false
        }
        // Others may begin anew while this one reads; after that often, the next time is soon enough.
        for round in 0..<5 {
            needsCare.store(false, ordering: .relaxed)
            careOnce(isAsked: isAsked, isFirst: round == 0, isBrokenOff: isBrokenOff)
            if isBrokenOff() { break }
            if state.withLock({ $0.isSettled || $0.isBusy && !isAsked }) { break }
        }
        return state.withLock { $0.pauseWhileBusy() }
    }

    private func careOnce(isAsked: Bool, isFirst: Bool, isBrokenOff: @Sendable () -> Bool) {
        buryDead()
        _ = catchUp(within: .max)
        goOnIfOutdated()
        join(lookingAgain: true)
        tellUnheard()
        load()
        if isAsked, isFirst { distrustSilence() }
        if state.withLock({ $0.isScanDue(isAsked: isAsked) }) { rebuild(isBrokenOff) }
        settleDoubts(isAsked: isAsked)
        compactIfDue()
    }

    /// What somebody did who died in the middle of it, or tells nobody, only the files tell.
    private func buryDead() {
        guard let shared = state.withLock({ $0.shared }), shared.buryDead() else { return }
        distrust()
    }

    /// Those who cannot use the index tell nobody what they do, and he who cannot is not told.
    private func distrustSilence() {
        guard let seat = sharing.withLock({ $0?.seat }) else {
            return state.withLock { if $0.mayHaveCompany { $0.forgetAll() } }
        }
        guard seat.removeUntoldMark(by: writer) != .nobodys else { return }
        state.withLock { $0.forgetAll() }
        needsCare.store(true, ordering: .relaxed)
    }

    private func load() {
        guard let seat = sharing.withLock({ $0?.seat }) else { return }
        let (isLoaded, generation) = state.withLock { ($0.isLoaded, $0.generation) }
        guard !isLoaded else { return }
        do throws(FileSystemError) {
            let contents = try read(by: seat)
            if contents.trust == .damaged {
                warnings.add("the index of the disk cache in \(directory.cache) is damaged and made anew", nil)
            }
            state.withLock { state in
                guard state.generation == generation, !state.mustReload else { return }
                state.isLoaded = true
                if contents.trust != .damaged { state.publish(contents.table, isComplete: contents.trust == .complete) }
            }
        } catch {
            // Where somebody else does not let go of the index, the files tell what is there.
            guard !error.isBusy else { return }
            guard !error.isLost else { return mustReload() }
            sharing.withLock { keepToMyself(&$0, because: error) }
        }
    }

    private func read(by seat: IndexSeat) throws(FileSystemError) -> IndexContents {
        try lockHolder.withLock { _ throws(FileSystemError) in
            try retryingWhileBusy { () throws(FileSystemError) in try seat.lock() }
            defer { seat.unlock() }
            var contents = try IndexContents.read(by: seat, order: order)
            guard contents.trust == .complete else { return contents }
            do throws(FileSystemError) {
                let hasLeftOvers = try directory.refresh(&contents.table, since: contents.time, now: now())
                if hasLeftOvers { seat.state.noteLeftOvers() }
            } catch {
                contents.trust = .unfinished
            }
            return contents
        }
    }

    /// Looks at all files.
    private func rebuild(_ isBrokenOff: @Sendable () -> Bool) {
        // Before the news are read: what is found to be damaged after that may be in none of them.
        let (generation, shared) = state.withLock { ($0.generation, $0.shared) }
        let reading = shared?.reading
        let damage = reading?.damage ?? 0
        // Also what nobody has counted any more, because he died.
        readNews()
        let (known, isOver) = state.withLock { ($0.table, $0.generation != generation || $0.mustReload) }
        guard !isOver else { return needsCare.store(true, ordering: .relaxed) }
        guard let (table, hasLeftOvers) = directory.scan(known: known, now: now(), isBrokenOff) else {
            if !isBrokenOff() { state.withLock { $0.isBusy = true } }
            return needsCare.store(true, ordering: .relaxed)
        }
        let isDone = state.withLock { state in
            guard state.generation == generation, !state.mustReload else { return false }
            // Told is not done, where somebody has died over it: the files have the last word.
            state.doubtful.formUnion(state.changes ?? [])
            // Before the damage counts as mended.
            state.noteDebts()
            state.seenDamage = reading?.foreignDamage ?? 0
            state.publish(table, isComplete: true)
            // No snapshot says more.
            state.isLoaded = true
            return true
        }
        guard isDone else { return needsCare.store(true, ordering: .relaxed) }
        compact(after: Scan(damage: damage, hasLeftOvers: hasLeftOvers))
    }
}

extension DiskIndex.State {
    /// So often the index is asked for, and then the files.
    private static let patience = 6
    /// In milliseconds.
    private static let longestPause = 1000

    /// Whether there is nothing to be done but to wait for others.
    fileprivate var isSettled: Bool {
        isComplete && !mustReload && doubtful.isEmpty && (shared == nil || unheard.isEmpty)
    }

    /// Whether the files are to be looked at. Who has the index locked has nearly always done soon; nobody who asks waits.
    fileprivate func isScanDue(isAsked: Bool) -> Bool {
        !isComplete && !mustReload && (isAsked || !isBusy || busyCount >= Self.patience)
    }

    /// From one time to the next, twice as long.
    fileprivate mutating func pauseWhileBusy() -> Int? {
        guard isBusy else {
            busyCount = 0
            return nil
        }
        defer { busyCount += 1 }
        return min(20 << min(busyCount, 10), Self.longestPause)
    }

    /// Takes over a table, except for what this process has changed in the meantime.
    mutating func publish(_ new: EntryTable, isComplete: Bool) {
        let untold = untoldUses.names.compactMap { name in table[name].map { (name, $0.used) } }
        let own = ownChanges(of: changes ?? [], uses: usesMeanwhile.merging(untold, uniquingKeysWith: max))
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
        if isComplete { (changes, usesMeanwhile) = (nil, [:]) }
    }
}
