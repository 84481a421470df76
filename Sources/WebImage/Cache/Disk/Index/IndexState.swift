import FoundationEssentials
import Synchronization

/// What all processes that use an index know of it at once: a small file that each reads and writes in place, at some
/// tenths of a microsecond. (Memory that is mapped would cost less, and kill whoever looks into it when somebody cuts the
/// file off, or the disk fails under it.)
///
/// It begins with a header of eight numbers, which are changed by who has locked the file. Then each seat has four, which
/// only its owner writes, so that no two ever change the same: what all did is the sum.
final class IndexState: Sendable {
    static let version: UInt64 = 1
    static let size = 4096
    static let seatCount = (size - headerSize) / Seat.size
    private static let headerSize = 64

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
        /// How often something was found that only a look at all files can mend.
        var damage: UInt64 = 0
        /// The others' seats whose owners are in the middle of a change, or died over it.
        var unfinished: [Int] = []

        var isDamaged: Bool { damage != header.mended }
    }

    private struct Own {
        var seat: Seat
        var header: Header
        var isClosed = false
    }

    private let file: OpenFile
    private let fileSystem: any FileSystem
    private let users: IndexUsers
    private let own: Mutex<Own>
    /// Whether anything is to be read before a question is answered.
    let freshness: IndexFreshness

    /// Takes over what stands in an open file, or begins anew where that makes no sense. The file must be locked.
    init(_ file: OpenFile, _ users: IndexUsers, _ files: IndexFiles) throws(FileSystemError) {
        (self.file, self.users, fileSystem) = (file, users, files.fileSystem)
        freshness = IndexFreshness(of: files)
        var bytes = try files.fileSystem.read(file, at: 0, count: Self.size)
        if Self.validity(of: bytes) == .invalid {
            let header = Header(epoch: files.unusedEpoch(after: 0))
            try files.makeJournal(header.epoch)
            bytes = [UInt8](header.data + Data(count: Self.size - Self.headerSize))
            try files.fileSystem.write(Data(bytes), to: file, at: 0)
        }
        var header = Header(bytes.span.bytes)
        header.seatCount = max(header.seatCount, UInt64(users.seat) + 1)
        let seat = Seat(bytes.span.bytes.extracting(Self.range(of: users.seat)))
        own = Mutex(Own(seat: seat, header: header))
        if seat.unfinished > 0 || users.isAlone && header.hasLeftOvers > 0 { noteDamage() }
        try own.withLock { own throws(FileSystemError) in
            own.seat.unfinished = 0
            if users.isAlone { own.header.hasLeftOvers = 0 }
            try write(own.header.data, at: 0)
            try write(own.seat.data, at: Self.range(of: users.seat).lowerBound)
        }
    }

    /// What stands in an open file.
    static func validity(_ file: OpenFile, _ fileSystem: any FileSystem) throws(FileSystemError) -> Validity {
        validity(of: try fileSystem.read(file, at: 0, count: size))
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
    var areOthersBusy: Bool { reading?.unfinished.isEmpty == false }

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
            guard number != users.seat else { continue }
            reading.changeCount &+= seat.changeCount
            if seat.unfinished > 0 { reading.unfinished.append(number) }
        }
        return reading
    }

    private static func range(of seat: Int) -> Range<Int> {
        headerSize + seat * Seat.size..<headerSize + (seat + 1) * Seat.size
    }

    // MARK: Writing

    /// The number of the journal that changes go to from now on; the file must be locked.
    func setEpoch(_ epoch: UInt64) throws(FileSystemError) {
        try changeHeader { header in
            header.epoch = epoch
            header.journalSize = 0
        }
    }

    /// So many bytes of a journal were written; the file must be locked.
    func noteJournal(_ epoch: UInt64, size: Int) {
        try? changeHeader { header in
            if header.epoch == epoch { header.journalSize = max(header.journalSize, UInt64(size)) }
        }
    }

    /// All damage up to `damage` is mended; the file must be locked.
    func mended(_ damage: UInt64) { try? changeHeader { $0.mended = damage } }

    /// There are files that somebody may be about to write: the next one who is alone is to look again.
    func noteLeftOvers() { try? changeHeader { $0.hasLeftOvers = 1 } }

    func addChanges(_ count: Int) { change { $0.changeCount &+= UInt64(count) } }

    /// Between these two, files and journal need not agree: whoever dies in between leaves it to be found out.
    func begin() { change { $0.unfinished += 1 } }
    func end() { change { $0.unfinished -= min(1, $0.unfinished) } }

    func noteDamage() { change { $0.damage &+= 1 } }

    /// Looks who died in the middle of a change, and notes that as damage.
    ///
    /// - Returns: Whether anybody did.
    func buryDead() -> Bool {
        let suspects = reading?.unfinished ?? []
        return own.withLock { own in
            var hasFound = false
            for seat in suspects where !own.isClosed {
                users.ifFree(seat) {
                    hasFound = true
                    own.seat.damage &+= 1
                    try? write(own.seat.data, at: Self.range(of: users.seat).lowerBound)
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
            users.leave()
            fileSystem.close(file)
        }
    }

    private func changeHeader(_ change: (inout Header) -> Void) throws(FileSystemError) {
        try own.withLock { own throws(FileSystemError) in
            guard !own.isClosed, let bytes = read(seats: 0), Header(bytes.span.bytes).isSameIndex(as: own.header) else {
                return
            }
            own.header = Header(bytes.span.bytes)
            change(&own.header)
            try write(own.header.data, at: 0)
        }
    }

    private func change(_ change: (inout Seat) -> Void) {
        own.withLock { own in
            let known = own.seat
            change(&own.seat)
            guard !own.isClosed, own.seat.tellsMore(than: known) else { return }
            // Where that fails, the journal is not to be written either, and its writer keeps to itself.
            try? write(own.seat.data, at: Self.range(of: users.seat).lowerBound)
        }
    }

    private func write(_ data: Data, at offset: Int) throws(FileSystemError) {
        defer { freshness.noteWrite() }
        try fileSystem.write(data, to: file, at: offset)
    }
}
