import Glibc

/// A place among those who use an index. The locks go with the files that hold them: when they are closed, at the latest
/// by the end of the process, however it comes.
struct IndexSeat: Sendable {
    let files: IndexFiles
    let state: IndexState

    /// Takes a place, unless somebody is changing the snapshot and the journals' order right now. What somebody has left
    /// who died in the middle of a change, or told nobody of his, is noted as damage.
    ///
    /// - Returns: nil when a newer version of the library has the index.
    /// - Throws: An error that ``FileSystemError/isBusy`` when it has to be tried again.
    static func take(_ files: IndexFiles) throws(FileSystemError) -> IndexSeat? {
        let stateFile = try files.openState()
        do throws(FileSystemError) {
            guard try files.fileSystem.lock(stateFile, .exclusive) else { throw .busy(stateFile) }
            guard try IndexState.validity(stateFile, files.fileSystem) != .newer else {
                files.fileSystem.close(stateFile)
                return nil
            }
            let seat = IndexSeat(files: files, state: try sitDown(files, stateFile))
            _ = seat.state.buryDead()
            if files.removeUntoldMark() { seat.state.noteDamage() }
            seat.unlock()
            return seat
        } catch {
            files.fileSystem.close(stateFile)
            throw error
        }
    }

    private static func sitDown(
        _ files: IndexFiles, _ stateFile: OpenFile
    ) throws(FileSystemError) -> IndexState {
        let users = try IndexUsers.join(files)
        do throws(FileSystemError) { return try IndexState(stateFile, users, files) } catch {
            users.leave()
            throw error
        }
    }

    /// Keeps everybody else from changing the snapshot and the journals' order.
    ///
    /// - Throws: An error that ``FileSystemError/isBusy`` when somebody else does.
    func lock() throws(FileSystemError) { try state.lock() }

    func unlock() { state.unlock() }

    /// Whether the index is still where it was, and the same: somebody may have removed it or cut it off, and others have
    /// made a new one.
    var isInPlace: Bool { state.reading != nil && state.isInPlace(files) }

    /// Whether the file of numbers has no name any more.
    var isRemoved: Bool {
        get throws(FileSystemError) { try state.isRemoved }
    }

    /// The number of the journal that changes go to.
    var epoch: UInt64 {
        get throws(FileSystemError) {
            guard let reading = state.reading else { throw FileSystemError(.read, files.directory, code: EUCLEAN) }
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
}
