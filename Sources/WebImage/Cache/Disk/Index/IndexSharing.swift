/// A process's part in an index that several share: what it tells the others, and how far it has read what they did.
struct IndexSharing {
    let seat: IndexSeat
    private(set) var journal: IndexJournal
    /// Marks the own records in the journal of all.
    let writer = UInt64.random(in: 1 ... .max)
    /// How many records were appended since somebody looked whether the journal is too long.
    private(set) var appendedCount = 0

    /// Begins where changes go to now, and leaves what was before to who reads the index.
    init(seat: IndexSeat) throws(FileSystemError) {
        self.seat = seat
        journal = try Self.currentJournal(of: seat)
        do throws(FileSystemError) { try skipToEnd() } catch {
            journal.close()
            throw error
        }
    }

    /// Begins once more where changes go to now: the index is about to be read again.
    mutating func startOver() throws(FileSystemError) {
        let current = try Self.currentJournal(of: seat)
        journal.close()
        journal = current
        try skipToEnd()
    }

    private static func currentJournal(of seat: IndexSeat) throws(FileSystemError) -> IndexJournal {
        while true {
            let journal = try IndexJournal(try seat.epoch, in: seat.files)
            do throws(FileSystemError) {
                // One that others have just removed is made anew by opening it.
                if try journal.isUsable() { return journal }
                if journal.epoch == (try seat.epoch) { return journal }
            } catch {
                journal.close()
                throw error
            }
            journal.close()
        }
    }

    private mutating func skipToEnd() throws(FileSystemError) {
        let reading = seat.state.reading
        if try journal.isUsable() {
            try journal.skipToEnd()
            if journal.holdsAll(of: reading) { return }
        }
        // Nobody can go on after half a record, and without its beginning or its end it has lost changes.
        seat.state.noteDamage()
        try seat.lock()
        defer { seat.unlock() }
        _ = try startJournal(try seat.epoch &+ 1)
    }

    /// What stands in the journals since the last time: by the others, and by this process as well, since only among
    /// each other do the changes have an order.
    struct News {
        var changes: [JournalRecord] = []
        /// A part is damaged or lost.
        var isBroken = false
    }

    /// Reads on, from one journal to the next.
    mutating func readOn() throws(FileSystemError) -> News {
        var news = News()
        while true {
            // Before the journal: whatever is counted by now has to be in it.
            let reading = seat.state.reading
            let isBegun = journal.count > 0
            let (changes, isWhole) = try journal.readOn()
            news.changes += changes
            // Others had removed it before it was opened.
            guard isBegun || changes.first == .beginning else {
                news.isBroken = true
                return news
            }
            guard isWhole, journal.holdsAll(of: reading) else {
                seat.state.noteDamage()
                news.isBroken = true
                return news
            }
            let epoch = seat.state.reading?.header.epoch
            if epoch == journal.epoch {
                news.isBroken = try isRemoved()
                if news.isBroken { seat.state.noteDamage() }
                return news
            }
            guard let epoch, epoch > journal.epoch, seat.files.hasJournal(journal.epoch &+ 1) else {
                news.isBroken = true
                return news
            }
            try goOn(to: journal.epoch &+ 1)
        }
    }

    /// Tells the others. Who appends to a journal that was just closed appends once more, to the next one.
    ///
    /// - Returns: What was read on the way to the next journal.
    mutating func append(_ changes: [JournalRecord]) throws(FileSystemError) -> News {
        var news = News()
        while true {
            do { try journal.append(changes) } catch {
                seat.state.noteDamage()
                throw error
            }
            appendedCount += changes.count
            if seat.state.reading?.header.epoch == journal.epoch, try !isRemoved() { return news }
            let more = try readOn()
            news.changes += more.changes
            news.isBroken = more.isBroken
            if news.isBroken { return news }
        }
    }

    /// Whether nobody reads what is appended, or what was appended is lost: somebody has removed the index, or a part of
    /// it, or cut the journal off under everybody's hands.
    mutating func isRemoved() throws(FileSystemError) -> Bool {
        if try seat.isRemoved { return true }
        if try journal.isInPlace() { return false }
        // Others remove a journal when all have been told to go on to the next.
        return seat.state.reading.map { $0.header.epoch == journal.epoch } ?? true
    }

    /// Whether the journal is too long; its end is looked at after some changes only.
    mutating func isLonger(than count: Int) -> Bool {
        appendedCount = 0
        return ((try? journal.status.size) ?? 0) / JournalRecord.size > count
    }

    /// Begins a journal that nobody has used yet, for all; the seat must hold the lock.
    ///
    /// - Returns: What stands in all before it that was not read yet; where that is broken, no journal was begun, or it is
    ///   not known what is before it.
    mutating func beginJournal() throws(FileSystemError) -> News {
        // Others may have begun some since.
        var news = try readOn()
        guard !news.isBroken else { return news }
        let rest = try startJournal(journal.epoch &+ 1)
        news.changes += rest.changes
        news.isBroken = rest.isBroken
        return news
    }

    private mutating func startJournal(_ epoch: UInt64) throws(FileSystemError) -> News {
        try seat.files.makeJournal(epoch)
        try seat.state.setEpoch(epoch)
        appendedCount = 0
        let (changes, isWhole) = try journal.readOn()
        if !isWhole { seat.state.noteDamage() }
        try goOn(to: epoch)
        return News(changes: changes, isBroken: !isWhole)
    }

    private mutating func goOn(to epoch: UInt64) throws(FileSystemError) {
        let next = try IndexJournal(epoch, in: seat.files)
        journal.close()
        journal = next
    }

    func close() {
        journal.close()
        seat.leave()
    }
}
