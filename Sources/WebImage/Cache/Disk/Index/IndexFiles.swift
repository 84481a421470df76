import FoundationEssentials
import Glibc

/// The files of an index, beside the entries: `index-1/state`, numbers that all processes share, with locks for whoever
/// changes the others and for whoever lives; `snapshot`, all entries at one time; `journal-7`, all changes since then;
/// `untold`, a sign of those who cannot write there. 1 is the version of this layout, 7 counts the journals.
///
/// All of it can be lost or damaged at any time: the entries' files have everything.
struct IndexFiles: Sendable {
    let fileSystem: any FileSystem
    /// The directory of the cache.
    let cache: String
    let directory: String

    /// - Parameter isBeside: Whether a newer version's index has the usual place.
    init(cache: String, fileSystem: any FileSystem, isBeside: Bool = false) {
        self.cache = cache
        self.fileSystem = fileSystem
        directory = "\(cache)/index-\(IndexState.version)\(isBeside ? "-beside" : "")"
    }

    func openState() throws(FileSystemError) -> OpenFile {
        do {
            try fileSystem.makeDirectory(directory)
        } catch let error where error.code == EEXIST {
            guard try fileSystem.status(of: directory).kind == .directory else {
                throw FileSystemError(.makeDirectory, directory, code: ENOTDIR)
            }
        }
        return try fileSystem.openToChange(statePath)
    }

    func openJournal(_ epoch: UInt64) throws(FileSystemError) -> OpenFile {
        try fileSystem.openToAppend(journalPath(epoch))
    }

    /// Leaves a sign that files are changed of which nobody is told: who comes next looks at all of them.
    ///
    /// - Parameter writer: Who does not need the sign.
    /// - Returns: The sign, which nobody takes away as long as it is open; nil where it cannot be held, or made at all.
    func makeUntoldMark(by writer: UInt64) -> OpenFile? {
        guard (try? fileSystem.status(of: directory))?.kind == .directory else { return nil }
        for pause: UInt32 in [0, 50, 100, 200, 400] {
            // Who has it locked is about to take it away, unless he is stopped just then. The system waits for such a lock without
            // end or not at all, and he may run at a low priority: the processor has to be let go for him.
            if pause > 0 { usleep(pause) }
            guard let file = try? fileSystem.openToAppend(untoldPath) else { return nil }
            let isHeld = try? fileSystem.lock(file, bytes: Self.untoldLock, as: .shared)
            if isHeld != false {
                note(writer, in: file)
                if isHeld == true, isUntoldMark(file) { return file }
            }
            fileSystem.close(file)
            guard isHeld != nil else { return nil }
        }
        return nil
    }

    private func note(_ writer: UInt64, in file: OpenFile) {
        guard (try? writers(in: file))?.contains(writer) != true else { return }
        // A sign of nobody is one as well.
        try? fileSystem.write(withUnsafeBytes(of: writer) { Data($0) }, to: file)
    }

    /// Whether somebody else finds the file.
    private func isUntoldMark(_ file: OpenFile) -> Bool {
        guard let own = try? fileSystem.status(of: file), let there = try? fileSystem.status(of: untoldPath) else {
            return false
        }
        return own.inode == there.inode
    }

    var hasUntoldMark: Bool { (try? fileSystem.status(of: untoldPath))?.kind == .file }

    /// What somebody finds who takes the sign away.
    enum FormerSign {
        /// None, or only his own.
        case nobodys
        case removed
        /// It stays: who has left it is in the middle of a change and may die over it later, or that cannot be told.
        case held
    }

    /// Takes the sign away, unless somebody holds it: as long as it is locked here, nobody adds to it.
    func removeUntoldMark(by writer: UInt64) -> FormerSign {
        for _ in 0..<5 where hasUntoldMark {
            let file: OpenFile
            do throws(FileSystemError) { file = try fileSystem.openToAppend(untoldPath) } catch {
                guard error.code == EACCES else { return .held }
                // Left there, another user's would have all files looked at without end.
                try? fileSystem.remove(untoldPath)
                return .removed
            }
            defer { fileSystem.close(file) }
            let isFree = (try? fileSystem.lock(file, bytes: Self.untoldLock, as: .exclusive)) == true
            // Another one may have taken it away before, and somebody left the next.
            guard isUntoldMark(file) else { continue }
            if isFree { try? fileSystem.remove(untoldPath) }
            if (try? writers(in: file)) == [writer] { return .nobodys }
            return isFree ? .removed : .held
        }
        return .held
    }

    private func writers(in file: OpenFile) throws(FileSystemError) -> [UInt64] {
        let bytes = try fileSystem.read(file, at: 0, count: 1024)
        return (0..<bytes.count / 8).map { bytes.span.bytes.integer(at: $0 * 8, as: UInt64.self) }
    }

    /// Makes a journal that nobody has appended to. One that stands there has never been anybody's: whoever made it died
    /// before telling.
    func makeJournal(_ epoch: UInt64) throws(FileSystemError) {
        do { try fileSystem.remove(journalPath(epoch)) } catch let error where error.isNotFound {}
        var journal = try IndexJournal(epoch, in: self)
        defer { journal.close() }
        try journal.append([.beginning])
    }

    func hasJournal(_ epoch: UInt64) -> Bool { (try? fileSystem.status(of: journalPath(epoch)))?.kind == .file }

    /// Whether there was an index that is damaged or lost in part.
    var hasFormerIndex: Bool {
        let items = (try? fileSystem.list(directory)) ?? []
        return hasSnapshot || items.contains { Self.epoch(ofJournal: $0.name) != nil }
    }

    /// The number of a journal that does not exist yet.
    func unusedEpoch(after epoch: UInt64) -> UInt64 {
        var epoch = epoch &+ 1
        while (try? fileSystem.status(of: journalPath(epoch))) != nil { epoch &+= 1 }
        return epoch
    }

    /// The number of the file in the state's place; nil when there is none.
    var stateInode: UInt64? {
        get throws(FileSystemError) {
            do { return try fileSystem.status(of: statePath).inode } catch {
                guard error.isNotFound || error.code == ENOTDIR else { throw error }
                return nil
            }
        }
    }

    /// What the snapshot says; nil when it is damaged, or there is none.
    func readSnapshot() throws(FileSystemError) -> (header: SnapshotFormat.Header, table: EntryTable)? {
        guard hasSnapshot else { return nil }
        let file = try fileSystem.openToAppend(snapshotPath)
        defer { fileSystem.close(file) }
        let beginning = try fileSystem.read(file, at: 0, count: SnapshotFormat.headerSize)
        let size = try fileSystem.status(of: file).size
        guard let header = SnapshotFormat.Header(beginning.span.bytes, fileSize: size) else { return nil }
        var builder = EntryTable.Builder(order: header.order, capacity: header.count)
        var offset = SnapshotFormat.headerSize
        for count in header.pieces {
            let piece = try fileSystem.read(file, at: offset, count: SnapshotFormat.byteCount(of: count))
            guard SnapshotFormat.append(piece.span.bytes, of: count, to: &builder) else { return nil }
            offset += piece.count
        }
        return (header, builder.finish())
    }

    var hasSnapshot: Bool { (try? fileSystem.status(of: snapshotPath))?.kind == .file }

    func writeSnapshot(_ table: EntryTable, epoch: UInt64) throws(FileSystemError) {
        let temporary = "\(directory)/\(TemporaryName.make())"
        do throws(FileSystemError) {
            let file = try fileSystem.create(temporary)
            defer { fileSystem.close(file) }
            try SnapshotFormat.forEachPiece(of: table, epoch: epoch) { piece throws(FileSystemError) in
                try fileSystem.write(piece, to: file)
            }
            try fileSystem.rename(temporary, to: snapshotPath)
        } catch {
            try? fileSystem.remove(temporary)
            throw error
        }
    }

    /// Removes the journals that a snapshot has made superfluous, and what crashes left.
    func removeJournals(before epoch: UInt64) {
        for item in (try? fileSystem.list(directory)) ?? [] where item.status.kind == .file {
            let isOld = Self.epoch(ofJournal: item.name).map { $0 < epoch } ?? TemporaryName.matches(item.name)
            if isOld { try? fileSystem.remove("\(directory)/\(item.name)") }
        }
    }

    private var snapshotPath: String { "\(directory)/snapshot" }

    private static let untoldLock = 0..<1

    private var untoldPath: String { "\(directory)/untold" }

    private var statePath: String { "\(directory)/state" }

    private func journalPath(_ epoch: UInt64) -> String { "\(directory)/\(Self.journalPrefix)\(epoch)" }

    private static let journalPrefix = "journal-"

    private static func epoch(ofJournal name: String) -> UInt64? {
        name.hasPrefix(journalPrefix) ? UInt64(name.dropFirst(journalPrefix.count)) : nil
    }
}
