import FoundationEssentials
import WebImageCore

/// The files of an index, beside the directories of the entries: `owner`, which the owner has locked; `guests`, the
/// mark of all other processes; `snapshot`, the table of an owner. Each of them may be lost at any time: the index can
/// be rebuilt from the files of the entries.
struct IndexFiles: Sendable {
    let fileSystem: any FileSystem
    /// The directory of the entries.
    let root: String

    static let names: Set<String> = ["owner", "guests", "snapshot"]

    var ownerPath: String { "\(root)/owner" }
    private var markPath: String { "\(root)/guests" }
    private var snapshotPath: String { "\(root)/snapshot" }

    /// Whether files can be created beside those of the index.
    var canCreate: Bool {
        let temporary = "\(root)/\(TemporaryName.make())"
        guard let file = try? fileSystem.create(temporary) else { return false }
        fileSystem.close(file)
        try? fileSystem.remove(temporary)
        return true
    }

    // MARK: The mark

    /// The mark of the guests; nil without one. Each change leaves a different mark.
    var mark: [UInt8]? {
        guard let file = try? fileSystem.openToRead(markPath) else { return nil }
        defer { fileSystem.close(file) }
        return try? fileSystem.read(file, at: 0, count: MemoryLayout<UInt64>.size)
    }

    /// Tells the owner that a guest has changed an entry. Where that fails, the owner finds the change with its next
    /// listing.
    func leaveMark() {
        guard let file = try? fileSystem.openToChange(markPath) else { return }
        defer { fileSystem.close(file) }
        let mark = UInt64.random(in: .min ... .max)
        try? fileSystem.write(withUnsafeBytes(of: mark) { Data($0) }, to: file, at: 0)
    }

    // MARK: The snapshot

    /// The result of reading a snapshot.
    enum ReadSnapshot {
        case none
        case damaged
        case whole(EntryTable, DirectoryStamps)
    }

    func readSnapshot() throws(FileSystemError) -> ReadSnapshot {
        let file: OpenFile
        do throws(FileSystemError) { file = try fileSystem.openToRead(snapshotPath) } catch {
            guard error.isNotFound else { throw error }
            return .none
        }
        defer { fileSystem.close(file) }
        let beginning = try fileSystem.read(file, at: 0, count: SnapshotFormat.headerSize)
        if SnapshotFormat.isOfOtherVersion(beginning.span.bytes) { return .none }
        let size = try fileSystem.status(of: file).size
        guard let header = SnapshotFormat.Header(beginning.span.bytes, fileSize: size) else { return .damaged }
        var builder = EntryTable.Builder(order: header.order, capacity: header.count)
        var offset = SnapshotFormat.headerSize
        for count in header.pieces {
            let piece = try fileSystem.read(file, at: offset, count: SnapshotFormat.byteCount(of: count))
            guard SnapshotFormat.append(piece.span.bytes, of: count, to: &builder) else { return .damaged }
            offset += piece.count
        }
        return .whole(builder.finish(), header.stamps)
    }

    /// Removes a damaged snapshot, so that the next start does not report it again.
    func removeSnapshot() { try? fileSystem.remove(snapshotPath) }

    /// A program may end while its cache saves the snapshot in the background: what is not whole has no name.
    func writeSnapshot(_ table: EntryTable, _ stamps: DirectoryStamps) throws(FileSystemError) {
        try fileSystem.writeAtomically(to: snapshotPath) { file throws(FileSystemError) in
            try SnapshotFormat.forEachPiece(of: table, stamps) { piece throws(FileSystemError) in
                try fileSystem.write(piece, to: file)
            }
        }
    }
}
