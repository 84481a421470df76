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
        journal = try IndexJournal(try seat.epoch, in: seat.files)
        do throws(FileSystemError) {
            if try !journal.isUsable() {
                // Nobody can go on after half a record, and without its beginning it has lost changes.
                seat.state.noteDamage()
                try seat.lock()
                defer { seat.unlock() }
                _ = try beginJournal()
            } else {
                try journal.skipToEnd()
            }
        } catch {
            journal.close()
            throw error
        }
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
            let (changes, isWhole) = try journal.readOn()
            news.changes += changes
            guard isWhole else {
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
        return try !journal.isInPlace()
    }

    /// Whether the journal is too long; its end is looked at after some changes only.
    mutating func isLonger(than count: Int) -> Bool {
        appendedCount = 0
        return ((try? journal.status.size) ?? 0) / JournalRecord.size > count
    }

    /// Begins a journal that nobody has used yet, for all; the seat must hold the lock. What stands in the old one is to
    /// be read before.
    mutating func beginJournal() throws(FileSystemError) -> News {
        let epoch = try seat.epoch &+ 1
        try seat.files.makeJournal(epoch)
        try seat.state.setEpoch(epoch)
        appendedCount = 0
        var news = News()
        news.changes = try journal.readOn().records
        try goOn(to: epoch)
        return news
    }

    private mutating func goOn(to epoch: UInt64) throws(FileSystemError) {
        let next = try IndexJournal(epoch, in: seat.files)
        journal.close()
        journal = next
    }

    /// Leaves to the next process how long the journal is: cut off between two records, it would look whole.
    func noteJournal() {
        guard let size = try? journal.status.size, (try? seat.lock()) != nil else { return }
        defer { seat.unlock() }
        seat.state.noteJournal(journal.epoch, size: size)
    }

    func close() {
        journal.close()
        seat.leave()
    }
}
