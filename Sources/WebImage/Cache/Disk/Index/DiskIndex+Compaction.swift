import Glibc
import Synchronization

/// A new snapshot, so that the journal does not grow for ever.
extension DiskIndex {
    /// What a look at all files has found beside the entries.
    struct Scan {
        /// All damage that was known before.
        let damage: UInt64
        /// Whether there are files that somebody may be about to write.
        let hasLeftOvers: Bool
    }

    /// A journal of so many changes is read in a few milliseconds; beyond that, it may have an eighth of the entries.
    private static let shortJournal = 16_384

    func compactIfDue() {
        let (count, scan, isComplete) = state.withLock { ($0.table.count, $0.unsavedScan, $0.isComplete) }
        guard isComplete else { return }
        let isDue = sharing.withLock { sharing in
            sharing?.isLonger(than: Self.shortJournal + count / 8) ?? false
        }
        if isDue || scan != nil { compact(after: scan) }
    }

    /// Writes all entries to a new snapshot, while this process and others go on to append to a new journal.
    ///
    /// - Parameter scan: A look at all files that has just ended; what the others know does not count any more.
    func compact(after scan: Scan? = nil) {
        lockHolder.withLock { _ in
            guard let seat = sharing.withLock({ $0?.seat }) else { return }
            // Where somebody else has the lock, and does not let go, this is for the next time.
            state.withLock { $0.unsavedScan = scan }
            do throws(FileSystemError) {
                try retryingWhileBusy { () throws(FileSystemError) in try seat.lock() }
                defer { seat.unlock() }
                if try compact(by: seat, after: scan) { state.withLock { $0.unsavedScan = nil } }
            } catch {
                guard !error.isBusy else { return }
                state.withLock { $0.unsavedScan = nil }
                warnings.add(
                    "the index of the disk cache is not saved: \(error.webImageError(stage: .store).reason)", error)
            }
        }
    }

    /// - Returns: False when it could not be done now.
    private func compact(by seat: IndexSeat, after scan: Scan?) throws(FileSystemError) -> Bool {
        guard let (epoch, table) = beginJournal(by: seat) else { return false }
        try seat.files.writeSnapshot(table, epoch: epoch)
        finish(seat, epoch, after: scan)
        return true
    }

    private func finish(_ seat: IndexSeat, _ epoch: UInt64, after scan: Scan?) {
        // Others hold what they have open; who has not read it to the end reads the snapshot instead.
        seat.files.removeJournals(before: epoch)
        if let scan {
            // First: should this process die in between, the others would believe what they know, with nothing left to mend.
            tell([(.reload, DiskEntryName(high: 0, low: 0), .nothing)])
            seat.state.mended(scan.damage)
            // What may still be somebody's now, the next process removes.
            if scan.hasLeftOvers { seat.state.noteLeftOvers() }
        }
    }

    /// Does what needs the index's lock. Somebody who has it may be stopped for good: whoever is asked for something tries
    /// for some hundredths of a second, once, and all others the next time.
    func retryingWhileBusy<Result>(
        _ work: () throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        var pause: UInt32 = state.withLock { $0.isPatient } ? 500 : .max
        while true {
            do throws(FileSystemError) { return try work() } catch {
                guard error.isBusy, pause < 32_000 else {
                    if error.isBusy { state.withLock { ($0.isBusy, $0.isPatient) = (true, false) } }
                    throw error
                }
            }
            // The system waits for such a lock without end or not at all, and its holder may have the processor meanwhile.
            usleep(pause)
            pause *= 2
        }
    }
}
