import Glibc

/// A place among those who use an index. The locks go with the files that hold them: when they are closed, at the latest
/// by the end of the process, however it comes.
struct IndexSeat: Sendable {
    let files: IndexFiles
    let state: IndexState

    /// Takes a place. What somebody has left who died in the middle of a change, or told nobody of his, is noted as damage.
    ///
    /// - Parameters:
    ///   - own: Who has told nobody, but will.
    ///   - vouch: Notes there what `own` has not told yet, before its sign is taken away.
    /// - Returns: nil when a newer version of the library has the index.
    /// - Throws: An error that ``FileSystemError/isBusy`` when it has to be tried again.
    static func take(
        _ files: IndexFiles, untoldBy own: UInt64 = 0, vouch: (IndexState) -> Void = { _ in }
    ) throws(FileSystemError) -> IndexSeat? {
        guard let state = try IndexState.open(files) else { return nil }
        _ = state.buryDead()
        vouch(state)
        let seat = IndexSeat(files: files, state: state)
        if seat.removeUntoldMark(by: own) == .held { state.noteDamage() }
        return seat
    }

    /// Takes away the sign of those who told nobody, and notes it as damage. One that is held stays, and whoever asks what
    /// is there finds it by himself.
    func removeUntoldMark(by own: UInt64) -> IndexFiles.FormerSign {
        guard files.hasUntoldMark else { return .nobodys }
        // Should this process die in between, that is found out.
        state.begin()
        defer { state.end() }
        guard isInPlace else { return .nobodys }
        let sign = files.removeUntoldMark(by: own)
        if sign == .removed { state.noteDamage() }
        return sign
    }

    /// Keeps everybody else from changing the snapshot and the journals' order.
    ///
    /// - Throws: An error that ``FileSystemError/isBusy`` when somebody else does.
    func lock() throws(FileSystemError) { try state.lock() }

    func unlock() { state.unlock() }

    /// Whether the index is still where it was, and the same: somebody may have removed it or cut it off, and others have
    /// made a new one.
    var isInPlace: Bool { state.reading != nil && (try? state.isRemoved) == false }

    /// Whether others do not find the file of numbers any more.
    var isRemoved: Bool {
        get throws(FileSystemError) { try state.isRemoved }
    }

    /// The number of the journal that changes go to.
    var epoch: UInt64 {
        get throws(FileSystemError) {
            guard let reading = state.reading else { throw .lost(at: files.directory) }
            return reading.header.epoch
        }
    }

    /// Gives the place up.
    func leave() { state.close() }
}

extension FileSystemError {
    /// Somebody else has a lock, perhaps for long.
    static func busy(_ file: OpenFile) -> FileSystemError { FileSystemError(.lock, file.path, code: EWOULDBLOCK) }

    var isBusy: Bool { operation == .lock && code == EWOULDBLOCK }

    /// What was there is gone, or others have begun anew.
    static func lost(_ file: OpenFile) -> FileSystemError { lost(at: file.path) }

    static func lost(at path: String) -> FileSystemError { FileSystemError(.read, path, code: EUCLEAN) }

    var isLost: Bool { operation == .read && code == EUCLEAN }
}
