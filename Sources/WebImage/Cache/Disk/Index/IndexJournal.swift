import FoundationEssentials

/// One journal, open for reading what others append and for appending.
struct IndexJournal {
    let epoch: UInt64
    private let file: OpenFile
    private let fileSystem: any FileSystem
    /// What was read, in bytes from the beginning.
    private(set) var offset = 0

    init(_ epoch: UInt64, in files: IndexFiles) throws(FileSystemError) {
        self.epoch = epoch
        fileSystem = files.fileSystem
        file = try files.openJournal(epoch)
    }

    func close() { fileSystem.close(file) }

    var status: FileStatus {
        get throws(FileSystemError) { try fileSystem.status(of: file) }
    }

    /// One call to the system, so that the records of several processes never mix.
    func append(_ records: [JournalRecord]) throws(FileSystemError) {
        var bytes = Data(capacity: records.count * JournalRecord.size)
        for record in records { record.append(to: &bytes) }
        try fileSystem.write(bytes, to: file)
    }

    /// The records since the last call, and whether all of them were whole. Half a record at the end, which somebody may
    /// be about to write, waits for the next call.
    mutating func readOn() throws(FileSystemError) -> (records: [JournalRecord], isWhole: Bool) {
        var records: [JournalRecord] = []
        while true {
            let bytes = try fileSystem.read(file, at: offset, count: Self.pieceSize)
            let count = bytes.count / JournalRecord.size
            for index in 0..<count {
                let range = index * JournalRecord.size..<(index + 1) * JournalRecord.size
                guard let record = JournalRecord(bytes.span.bytes.extracting(range)) else { return (records, false) }
                records.append(record)
                offset += JournalRecord.size
            }
            if bytes.count < Self.pieceSize { return (records, true) }
        }
    }

    /// Takes everything up to now as read.
    mutating func skipToEnd() throws(FileSystemError) {
        offset = try status.size / JournalRecord.size * JournalRecord.size
    }

    /// Whether the file ends within a record.
    func isTorn() throws(FileSystemError) -> Bool { try status.size % JournalRecord.size != 0 }

    private static let pieceSize = 4096 * JournalRecord.size
}
