import FoundationEssentials
import Glibc
import Synchronization

/// What all processes that use an index know of it at once: a small file that each reads and writes in place, at some
/// tenths of a microsecond. (Memory that is mapped would cost less, and kill whoever looks into it when somebody cuts the
/// file off, or the disk fails under it.)
///
/// It begins with a header of eight numbers, which are changed by who holds a lock for that moment. Then each seat has
/// numbers of its own, which only its owner writes as long as he lives, so that no two ever change the same: what all did
/// is the sum. The locks are bytes behind the end.
final class IndexState: Sendable {
    static let version: UInt64 = 1
    static let size = 4096
    static let seatCount = (size - headerSize) / Seat.size
    private static let headerSize = 64
    /// For as long as a header is read and written: whoever joins waits for no snapshot.
    static let headerLock = size + seatCount..<size + seatCount + 1
    /// For who changes the snapshot and the order of the journals, or reads them.
    static let snapshotLock = headerLock.upperBound..<headerLock.upperBound + 1

    enum Validity {
        /// Nobody has written it yet, or what it says makes no sense.
        case invalid
        case valid
        /// A later version of the library has made it, and understands what is there better.
        case newer
    }

    /// All of it at one moment.
    struct Reading {
        let header: Header
        /// Grows with each change that anybody else appended: when it stands still, there is nothing to read.
        var changeCount: UInt64 = 0
        /// How many records the journal that changes go to has at least.
        var journalCount = 0
        /// How often something was found that only a look at all files can mend.
        var damage: UInt64 = 0
        /// How often of that the others have found it.
        var foreignDamage: UInt64 = 0
        /// Whether anybody else is in the middle of a change, or died over it.
        var areOthersBusy = false
        /// The others' seats whose owners must not die now, or have died.
        var unsettled: [Int] = []

        var isDamaged: Bool { damage != header.mended }
    }

    private struct Own {
        var seat: Seat
        var header: Header
        var isClosed = false
    }

    private let files: IndexFiles
    private let file: OpenFile
    private let inode: UInt64
    private let place: IndexPlace
    private let own: Mutex<Own>
    /// Whether anything is to be read before a question is answered.
    let freshness: IndexFreshness

    /// Takes a place, and takes over what stands in an open file, or begins anew where that makes no sense.
    ///
    /// - Returns: nil when a newer version of the library has the index.
    /// - Throws: An error that ``FileSystemError/isBusy`` when somebody else is doing the same.
    static func open(_ files: IndexFiles) throws(FileSystemError) -> IndexState? {
        let (file, fileSystem) = (try files.openState(), files.fileSystem)
        do throws(FileSystemError) {
            try retryingShortly { () throws(FileSystemError) in
                guard try fileSystem.lock(file, bytes: headerLock, as: .exclusive) else { throw .busy(file) }
            }
            defer { try? fileSystem.unlock(file, bytes: headerLock) }
            if try validity(of: fileSystem.read(file, at: 0, count: size)) != .newer {
                return try IndexState(file, files)
            }
        } catch {
            fileSystem.close(file)
            throw error
        }
        fileSystem.close(file)
        return nil
    }

    /// The header must be locked.
    private init(_ file: OpenFile, _ files: IndexFiles) throws(FileSystemError) {
        let place = try IndexPlace(in: file, files.fileSystem) { seat in
            Self.seat(seat, in: file, files.fileSystem)?.isUnsettled != true
        }
        (self.files, self.file, self.place) = (files, file, place)
        inode = try files.fileSystem.status(of: file).inode
        freshness = IndexFreshness(of: files)
        var bytes = try files.fileSystem.read(file, at: 0, count: Self.size)
        let isNew = Self.validity(of: bytes) == .invalid
        if isNew {
            var header = Header(epoch: files.unusedEpoch(after: 0))
            // Somebody may still use what was there before, and change a file for the last time while all are looked at.
            header.hasLeftOvers = files.hasFormerIndex ? 1 : 0
            try files.makeJournal(header.epoch)
            bytes = [UInt8](header.data + Data(count: Self.size - Self.headerSize))
            try files.fileSystem.write(Data(bytes), to: file, at: 0)
        }
        var header = Header(bytes.span.bytes)
        header.seatCount = max(header.seatCount, UInt64(place.seat) + 1)
        let seat = Seat(bytes.span.bytes.extracting(Self.range(of: place.seat)))
        own = Mutex(Own(seat: seat, header: header))
        if seat.isUnsettled || place.isAlone && header.hasLeftOvers > 0 { noteDamage() }
        try own.withLock { own throws(FileSystemError) in
            (own.seat.unfinished, own.seat.debt) = (0, 0)
            if place.isAlone, !isNew { own.header.hasLeftOvers = 0 }
            try write(own.header.data, at: 0)
            try write(own.seat.data, at: Self.range(of: place.seat).lowerBound)
        }
    }

    private static func validity(of bytes: [UInt8]) -> Validity {
        guard bytes.count >= headerSize else { return .invalid }
        let header = Header(bytes.span.bytes)
        guard header.signature == Header.signature, header.version != 0 else { return .invalid }
        if header.version > version { return .newer }
        return bytes.count >= size && header.seatCount <= seatCount ? .valid : .invalid
    }

    // MARK: Reading

    /// What everybody knows; nil when it is lost, and others may have begun anew.
    var reading: Reading? {
        own.withLock { own in
            guard !own.isClosed, let bytes = read(seats: own.header.seatCount) else { return nil }
            let header = Header(bytes.span.bytes)
            guard header.isSameIndex(as: own.header), header.seatCount <= Self.seatCount else { return nil }
            guard header.seatCount > own.header.seatCount else {
                own.header = header
                return reading(header, bytes)
            }
            own.header = header
            return read(seats: header.seatCount).map { reading(header, $0) }
        }
    }

    /// Whether anybody else is in the middle of a change, or died over it.
    var areOthersBusy: Bool { reading?.areOthersBusy == true }

    private var fileSystem: any FileSystem { files.fileSystem }

    /// What stands there of one seat; nil where the file has not grown that far.
    private static func seat(_ number: Int, in file: OpenFile, _ fileSystem: any FileSystem) -> Seat? {
        let bytes = try? fileSystem.read(file, at: range(of: number).lowerBound, count: Seat.size)
        return bytes.flatMap { $0.count == Seat.size ? Seat($0.span.bytes) : nil }
    }

    private func read(seats: UInt64) -> [UInt8]? {
        let count = Self.range(of: Int(seats)).lowerBound
        guard let bytes = try? fileSystem.read(file, at: 0, count: count), bytes.count == count else { return nil }
        return bytes
    }

    private func reading(_ header: Header, _ bytes: [UInt8]) -> Reading {
        var reading = Reading(header: header)
        for number in 0..<Int(header.seatCount) {
            let seat = Seat(bytes.span.bytes.extracting(Self.range(of: number)))
            reading.damage &+= seat.damage
            reading.journalCount = max(reading.journalCount, seat.journalCount(of: header.epoch))
            guard number != place.seat else { continue }
            reading.foreignDamage &+= seat.damage
            reading.changeCount &+= seat.changeCount
            if seat.unfinished > 0 { reading.areOthersBusy = true }
            if seat.isUnsettled { reading.unsettled.append(number) }
        }
        return reading
    }

    private static func range(of seat: Int) -> Range<Int> {
        headerSize + seat * Seat.size..<headerSize + (seat + 1) * Seat.size
    }

    // MARK: The file

    /// Keeps everybody else from changing the snapshot and the journals' order.
    ///
    /// - Throws: An error that ``FileSystemError/isBusy`` when somebody else does.
    func lock() throws(FileSystemError) {
        try own.withLock { own throws(FileSystemError) in
            guard !own.isClosed, try fileSystem.lock(file, bytes: Self.snapshotLock, as: .exclusive) else {
                throw .busy(file)
            }
        }
    }

    func unlock() {
        // A closed file is not locked, and its descriptor may be another's.
        own.withLock { if !$0.isClosed { try? fileSystem.unlock(file, bytes: Self.snapshotLock) } }
    }

    /// Whether nobody finds the file any more who looks for it now: it was removed, or moved, by itself or with all that
    /// is around it. Nothing is known of one that was closed.
    var isRemoved: Bool {
        get throws(FileSystemError) {
            guard own.withLock({ !$0.isClosed }) else { return false }
            return try files.stateInode != inode
        }
    }

    // MARK: Writing

    /// The number of the journal that changes go to from now on; the snapshot must be locked.
    func setEpoch(_ epoch: UInt64) throws(FileSystemError) { try changeHeader { $0.epoch = epoch } }

    /// All damage up to `damage` is mended; where that cannot be written, somebody looks at the files once more.
    func mended(_ damage: UInt64) { try? changeHeader { $0.mended = damage } }

    /// There are files that somebody may be about to write: the next one who is alone is to look again.
    func noteLeftOvers() { try? changeHeader { $0.hasLeftOvers = 1 } }

    /// So many changes were appended to a journal, which is so long now.
    func addChanges(_ count: Int, journalCount: Int, of epoch: UInt64) {
        change { seat in
            seat.changeCount &+= UInt64(count)
            seat.note(journalCount: journalCount, of: epoch)
        }
    }

    /// Between these two, files and journal need not agree: whoever dies in between leaves it to be found out.
    func begin() { change { $0.unfinished += 1 } }
    func end() { change { $0.unfinished -= min(1, $0.unfinished) } }

    /// As long as this process owes others something that it has done, it is to be found out should it die.
    func owe(_ isOwing: Bool) { change { $0.debt = isOwing ? 1 : 0 } }

    func noteDamage() { change { $0.damage &+= 1 } }

    /// Nothing is under way or owed any more.
    func settle() { change { ($0.unfinished, $0.debt) = (0, 0) } }

    /// Looks who died in the middle of a change, or owing something, and notes that as damage.
    ///
    /// - Returns: Whether anybody did of whom nobody else has noted it.
    func buryDead() -> Bool {
        let suspects = reading?.unsettled ?? []
        return own.withLock { own in
            var hasFound = false
            for seat in suspects where !own.isClosed {
                place.ifFree(seat) {
                    guard Self.seat(seat, in: file, fileSystem)?.isUnsettled == true else { return }
                    hasFound = true
                    own.seat.damage &+= 1
                    // Where that cannot be noted, the next one finds it out.
                    guard (try? write(own.seat.data, at: Self.range(of: place.seat).lowerBound)) != nil else { return }
                    try? write(Data(count: 8), at: Self.range(of: seat).lowerBound)
                }
            }
            return hasFound
        }
    }

    /// Nothing is read or written any more: the file's descriptor may be another's from now on.
    func close() {
        own.withLock { own in
            guard !own.isClosed else { return }
            own.isClosed = true
            fileSystem.close(file)
        }
    }

    /// - Throws: An error that ``FileSystemError/isLost`` when others have begun anew in the same place.
    private func changeHeader(_ change: (inout Header) -> Void) throws(FileSystemError) {
        try Self.retryingShortly { () throws(FileSystemError) in
            try own.withLock { own throws(FileSystemError) in
                guard !own.isClosed, try fileSystem.lock(file, bytes: Self.headerLock, as: .exclusive) else {
                    throw .busy(file)
                }
                defer { try? fileSystem.unlock(file, bytes: Self.headerLock) }
                guard let bytes = read(seats: 0), Header(bytes.span.bytes).isSameIndex(as: own.header) else {
                    throw .lost(file)
                }
                own.header = Header(bytes.span.bytes)
                change(&own.header)
                try write(own.header.data, at: 0)
            }
        }
    }

    /// Nobody has the header locked for more than a moment, unless it is stopped right then.
    private static func retryingShortly(_ work: () throws(FileSystemError) -> Void) throws(FileSystemError) {
        for _ in 0..<20 {
            do throws(FileSystemError) { return try work() } catch { guard error.isBusy else { throw error } }
            // The system waits for such a lock without end or not at all, and who has it may run at a low priority:
            // the processor has to be let go for it.
            usleep(50)
        }
        try work()
    }

    private func change(_ change: (inout Seat) -> Void) {
        own.withLock { own in
            let known = own.seat
            change(&own.seat)
            guard !own.isClosed, own.seat.tellsMore(than: known) else { return }
            // Where that fails, the journal is not to be written either, and its writer keeps to itself. Where others have
            // begun anew in the same place, it is this one's seat all the same.
            try? write(own.seat.data, at: Self.range(of: place.seat).lowerBound)
        }
    }

    private func write(_ data: Data, at offset: Int) throws(FileSystemError) {
        defer { freshness.noteWrite() }
        try fileSystem.write(data, to: file, at: offset)
    }
}
