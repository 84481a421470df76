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
        let count = state.withLock { $0.table.count }
        let isDue = sharing.withLock { sharing in
            sharing?.isLonger(than: Self.shortJournal + count / 8) ?? false
        }
        if isDue { compact() }
    }

    /// Writes all entries to a new snapshot, while this process and others go on to append to a new journal.
    ///
    /// - Parameter scan: A look at all files that has just ended; what the others know does not count any more.
    func compact(after scan: Scan? = nil) {
        lockHolder.withLock { _ in
            guard let (seat, epoch, table) = beginJournal() else { return }
            do throws(FileSystemError) {
                try seat.files.writeSnapshot(table, epoch: epoch)
                finish(seat, epoch, after: scan)
            } catch {
                warn("the index of the disk cache is not saved: \(error.webImageError(stage: .store).reason)", error)
                sharing.withLock { $0?.seat.unlock() }
            }
        }
    }

    private func beginJournal() -> (IndexSeat, epoch: UInt64, EntryTable)? {
        sharing.withLock { sharing -> (IndexSeat, epoch: UInt64, EntryTable)? in
            guard var own = sharing else { return nil }
            do throws(FileSystemError) {
                try own.seat.lock()
                let news = try own.beginJournal()
                sharing = own
                take(news, writer: own.writer)
                return (own.seat, own.journal.epoch, state.withLock { $0.table })
            } catch {
                keepToMyself(&sharing, because: error)
                return nil
            }
        }
    }

    private func finish(_ seat: IndexSeat, _ epoch: UInt64, after scan: Scan?) {
        // Others hold what they have open; who has not read it to the end reads the snapshot instead.
        seat.files.removeJournals(before: epoch)
        if let scan {
            seat.state.mended(scan.damage)
            // What may still be somebody's now, the next process removes.
            if scan.hasLeftOvers { seat.state.noteLeftOvers() }
            tell([(.reload, DiskEntryName(high: 0, low: 0), .nothing)])
        }
        sharing.withLock { $0?.seat.unlock() }
    }
}
