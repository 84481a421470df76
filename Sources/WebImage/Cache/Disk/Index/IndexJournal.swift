import FoundationEssentials

/// One journal, open for reading what others append and for appending.
struct IndexJournal {
    let epoch: UInt64
    private let file: OpenFile
    private let fileSystem: any FileSystem
    /// What was read, in bytes from the beginning.
    private(set) var offset = 0
    /// How long it was at least, in bytes: journals never become shorter by themselves.
    private var knownSize = 0

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
    mutating func append(_ records: [JournalRecord]) throws(FileSystemError) {
        var bytes = Data(capacity: records.count * JournalRecord.size)
        for record in records { record.append(to: &bytes) }
        try fileSystem.write(bytes, to: file)
        // It came after all that was there.
        knownSize = max(knownSize, offset) + bytes.count
    }

    /// How many records were read, the beginning with them.
    var count: Int { offset / JournalRecord.size }
    /// Whether all was read that somebody had told when the state was read.
    func holdsAll(of reading: IndexState.Reading?) -> Bool {
        guard let reading, reading.header.epoch == epoch else { return true }
        return count >= reading.journalCount
    }

    /// How many there are at least.
    var knownCount: Int { max(knownSize, offset) / JournalRecord.size }

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

    /// Whether it has its beginning, and ends with a whole record. One that somebody has emptied has lost the first.
    func isUsable() throws(FileSystemError) -> Bool {
        let status = try status
        let bytes = try fileSystem.read(file, at: 0, count: JournalRecord.size)
        return JournalRecord(bytes.span.bytes) == .beginning && status.size % JournalRecord.size == 0
    }

    /// Whether it has still got its name, and all that was once seen in it.
    mutating func isInPlace() throws(FileSystemError) -> Bool {
        let status = try status
        let isShorter = status.size < max(knownSize, offset)
        knownSize = max(knownSize, status.size)
        return status.linkCount > 0 && !isShorter
    }

    private static let pieceSize = 4096 * JournalRecord.size
}
