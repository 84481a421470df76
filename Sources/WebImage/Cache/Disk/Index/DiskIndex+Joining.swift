import FoundationEssentials
import Glibc
import Synchronization

/// Who shares the index with others: taking part in it, going on when it was made anew, and leaving it.
extension DiskIndex {
    /// From now on the others are told what this process does, beginning with what it did since it started.
    ///
    /// - Parameter looksAgain: Whether to look at the files first: somebody else may have changed them since. Not while
    ///   an entry is being changed.
    func join(lookingAgain looksAgain: Bool = false) {
        let time = now()
        guard state.withLock({ $0.isJoiningDue(at: time, again: looksAgain) }), directory.isThere else { return }
        let isFirst = state.withLock { state in
            guard state.isJoiningDue(at: time, again: looksAgain) else { return false }
            state.lastOpening = time
            state.wasBusy = false
            return true
        }
        guard isFirst else { return }
        do throws(FileSystemError) {
            // Nobody waits for another process to store a picture.
            if looksAgain {
                lookAgain(try retryingWhileBusy { () throws(FileSystemError) in try sitDown(tellingAtOnce: false) })
            } else {
                _ = try sitDown(tellingAtOnce: true)
            }
            state.withLock { $0.noteDebts() }
        } catch {
            didNotJoin(because: error)
        }
    }

    private func didNotJoin(because error: FileSystemError) {
        let time = now()
        let hasUntold = state.withLock { state in
            state.mayHaveCompany = true
            return !state.unheard.isEmpty
        }
        // The sign may have been taken away on the way.
        if hasUntold { leaveSign() }
        guard !error.isBusy, !error.isLost else {
            state.withLock { ($0.wasBusy, $0.isBusy) = (true, true) }
            return needsCare.store(true, ordering: .relaxed)
        }
        state.withLock { $0.noteFailure(at: time) }
        warnings.add("the index of the disk cache is not used: \(error.webImageError(stage: .disk).reason)", error)
    }

    /// - Parameter isTelling: Whether to tell the others what they may not have heard, as it is known.
    /// - Returns: What the others are yet to be told; nothing where there is no place.
    private func sitDown(tellingAtOnce isTelling: Bool) throws(FileSystemError) -> [Change] {
        if let seat = try IndexSeat.take(usualFiles, untoldBy: writer, vouch: vouch) {
            return try beginTelling(from: seat, atOnce: isTelling)
        }
        let beside = IndexFiles(cache: directory.cache, fileSystem: directory.fileSystem, isBeside: true)
        guard let seat = try IndexSeat.take(beside, vouch: vouch) else { return [] }
        // What the newer version does, nobody says here.
        seat.state.noteDamage()
        return try beginTelling(from: seat, atOnce: isTelling)
    }

    /// From now on, an index that this process is about to share says what is left to be found out should it die.
    private func vouch(in shared: IndexState) {
        let former = state.withLock { state in
            let former = state.inProgress
            state.joining = shared
            for name in former.keys {
                shared.begin()
                state.inProgress[name] = Undertaking(shared: shared)
            }
            shared.owe(true)
            state.isOwing = true
            return former
        }
        // Their signs are let go when nobody waits for the lock.
        withExtendedLifetime(former) {}
    }

    /// It is not shared after all: a sign says the same, if there is anything to be said.
    private func stopVouching(in seat: IndexSeat) {
        let hasUnheard = state.withLock { state in
            state.didJoin(seat.state)
            return !state.unheard.isEmpty
        }
        let isSaid = !hasUnheard || leaveSign() != nil
        guard !abandon(seat) else { return }
        // Otherwise others are to find this process dead.
        if isSaid { seat.state.settle() }
        seat.leave()
    }

    /// Gives up the place in an index that others may still have. They take what is under way for a dead one's then, and
    /// look at all files; for what comes of it later there is a sign by then.
    func giveUp(_ own: IndexSharing) {
        // Descriptors may have run out, and the sign takes one.
        own.journal.close()
        if !abandon(own.seat) { own.seat.leave() }
    }

    /// What is under way is seen in that place no more, but by a sign.
    ///
    /// - Returns: Whether there can be no other sign, and the place is kept for as long as that takes.
    private func abandon(_ seat: IndexSeat) -> Bool {
        guard state.withLock({ $0.inProgress.values.contains { $0.shared === seat.state } }) else { return false }
        let other = leaveSign()
        let sign = other ?? UntoldSign(keeping: seat)
        state.withLock { state in
            for (name, undertaking) in state.inProgress where undertaking.shared === seat.state {
                state.inProgress[name] = Undertaking(sign: sign)
            }
        }
        return other == nil
    }

    private func beginTelling(from seat: IndexSeat, atOnce: Bool) throws(FileSystemError) -> [Change] {
        // What was told to an index that is gone, those who use this one may not have heard.
        if state.withLock({ $0.hasLostIndex }) { seat.state.noteDamage() }
        let reading = seat.state.reading
        let own: IndexSharing
        do throws(FileSystemError) { own = try IndexSharing(seat: seat) } catch {
            stopVouching(in: seat)
            throw error
        }
        return sharing.withLock { sharing in
            sharing?.close()
            sharing = own
            let changes = state.withLock { state in
                state.shared = seat.state
                state.didJoin(seat.state)
                state.hasLostIndex = false
                return state.begin(from: reading)
            }
            guard atOnce else { return changes }
            // Before another thread can tell anything newer of these entries. Another process may have done so already.
            doubt(changes.lazy.filter { $0.change != .use }.map(\.name))
            tell(changes, by: &sharing)
            return []
        }
    }

    /// Tells of changes that others may not have heard of, by what the files say now.
    func lookAgain(_ changes: [Change]) {
        tell(changes.filter { $0.change == .use })
        for change in changes where change.change != .use { look(at: change.name, isUsed: false, isNews: true) }
    }

    /// Goes on where others have made the index anew, or have lost what this process has told them.
    func goOnIfOutdated() {
        let changes = lockHolder.withLock { _ in
            sharing.withLock { sharing -> [Change] in
                guard let own = sharing else { return [] }
                guard own.seat.isInPlace else {
                    leaveLostIndex(&sharing)
                    return []
                }
                return state.withLock { $0.mustReload } ? startOver(&sharing) : []
            }
        }
        lookAgain(changes)
    }

    private func startOver(_ sharing: inout IndexSharing?) -> [Change] {
        let changes = share(&sharing) { own throws(FileSystemError) in
            let reading = own.seat.state.reading
            try own.startOver()
            return state.withLock { $0.begin(from: reading) }
        }
        // A journal that is of no use, and whoever can make another one is stopped.
        if changes == nil { leaveLostIndex(&sharing) }
        return changes ?? []
    }

    /// Before a change: nobody who finds out what was left unfinished would look into an index that was removed.
    func leaveIfRemoved() {
        guard let shared = state.withLock({ $0.shared }), (try? shared.isRemoved) == true else { return }
        sharing.withLock { sharing in
            if sharing?.seat.state === shared { leaveLostIndex(&sharing) }
        }
        needsCare.store(true, ordering: .relaxed)
    }

    private func leaveLostIndex(_ sharing: inout IndexSharing?) {
        guard let own = sharing else { return }
        sharing = nil
        state.withLock { $0.leaveLostIndex() }
        giveUp(own)
    }

    /// Tells what was not heard, where the index is as it was.
    func tellUnheard() {
        let changes = state.withLock { state in
            state.shared == nil || state.mustReload || state.unheard.isEmpty ? [] : state.takeUntold()
        }
        lookAgain(changes)
    }

    /// Closes what is open. The others, and the next process, know all that this one does.
    ///
    /// - Returns: What was read since the files were last told.
    func leave() -> [(name: DiskEntryName, time: FileTime)] {
        settleLastDoubts()
        let uses = tellUses()
        sharing.withLock { sharing in
            let isLost = sharing.map { !$0.seat.isInPlace } ?? false
            if isLost || state.withLock({ $0.hasUntold }) {
                sharing?.seat.state.noteDamage()
                leaveSign()
            }
            sharing?.close()
            sharing = nil
        }
        return uses
    }

    /// Whoever leaves with doubts has the others look at all files: up to eight milliseconds are worth waiting until nobody is
    /// in the middle of a change, which takes less as a rule and cannot be waited for otherwise.
    private func settleLastDoubts() {
        for pause: UInt32 in [500, 1000, 2000, 4000, 0] {
            settleDoubts(isAsked: true)
            guard pause > 0, state.withLock({ $0.shared != nil && !$0.doubtful.isEmpty }) else { return }
            usleep(pause)
        }
    }
}

extension DiskIndex.State {
    /// Whether the index is to be asked for.
    ///
    /// - Parameter isAgain: Whether it is time for what was not possible because somebody else had it locked.
    func isJoiningDue(at time: FileTime, again isAgain: Bool = false) -> Bool {
        guard shared == nil else { return false }
        return isAgain && wasBusy || lastOpening.map { $0 <= time.before(openingPause) || $0 > time } ?? true
    }

    /// In seconds. A disk may be full for a moment only; an index that goes on failing is asked for less and less often.
    private var openingPause: TimeInterval {
        failureCount == 0
            ? Self.longestOpeningPause : min(Double(1 << min(failureCount - 1, 20)), Self.longestOpeningPause)
    }

    private static let longestOpeningPause: TimeInterval = 3600

    /// The index could not be used, or not any more.
    mutating func noteFailure(at time: FileTime) {
        let hasLasted = lastOpening.map { $0 <= time.before(2 * openingPause) } ?? true
        failureCount = hasLasted ? 1 : failureCount + 1
        lastOpening = time
    }

    /// The index is to be read from the start, and what is appended from now on is news.
    ///
    /// - Returns: What the others are to be told.
    fileprivate mutating func begin(from reading: IndexState.Reading?) -> [DiskIndex.Change] {
        isLoaded = false
        isComplete = false
        mustReload = false
        mayHaveCompany = false
        // Of these, the journal may say less than the table.
        changes = Set(inProgress.keys)
        unsavedScan = nil
        generation += 1
        seenChangeCount = reading?.changeCount ?? 0
        seenDamage = reading?.foreignDamage ?? 0
        return takeUntold()
    }

    /// Another one may be about to be shared already.
    fileprivate mutating func didJoin(_ shared: IndexState) {
        if joining === shared { joining = nil }
    }

    fileprivate var hasUntold: Bool { hasLostIndex || lastOpening != nil && !unheard.isEmpty }

    fileprivate mutating func leaveLostIndex() {
        shared = nil
        lastOpening = nil
        hasLostIndex = true
        mustReload = false
        isComplete = false
        changes = changes ?? []
        generation += 1
    }

    /// What this process has changed and others may not have heard, which stays so until they are told; and what it has read
    /// since they last were. The oldest first.
    fileprivate mutating func takeUntold() -> [DiskIndex.Change] {
        let uses = takeKnown(\.untoldUses).map { ($0.name, $0.record.used) }
        return ownChanges(of: unheard, uses: Dictionary(uniqueKeysWithValues: uses))
    }

    /// The others know of these changes now, whatever they did not know before.
    mutating func didTell(_ changes: [DiskIndex.Change]) {
        guard !unheard.isEmpty else { return }
        for change in changes where change.change != .use { unheard.remove(change.name) }
    }

    /// The oldest first.
    func ownChanges(of changed: Set<DiskEntryName>, uses: [DiskEntryName: IndexDate]) -> [DiskIndex.Change] {
        let order = table.order
        let changes: [DiskIndex.Change] = changed.map { name in
            table[name].map { (.insert, name, $0) } ?? (.remove, name, .nothing)
        }
        let used = uses.lazy.filter { !changed.contains($0.key) }.map { name, date -> DiskIndex.Change in
            var record = table[name] ?? .nothing
            record.used = max(record.used, date)
            return (.use, name, record)
        }
        return (changes + used).sorted { $0.record[order] < $1.record[order] }
    }
}
