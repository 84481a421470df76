import Glibc

/// A place among those who use an index. The locks go with the files that hold them: when they are closed, at the latest
/// by the end of the process, however it comes.
struct IndexSeat: Sendable {
    let files: IndexFiles
    let state: IndexState
    private let stateFile: OpenFile

    /// Takes a place, and waits for whoever is changing the snapshot and the journals' order. What somebody has left who
    /// died in the middle of a change is noted as damage.
    ///
    /// - Returns: nil when a newer version of the library has the index.
    static func take(_ files: IndexFiles) throws(FileSystemError) -> IndexSeat? {
        let stateFile = try files.openState()
        do throws(FileSystemError) {
            _ = try files.fileSystem.lock(stateFile, .exclusive, waits: true)
            guard try IndexState.validity(stateFile, files.fileSystem) != .newer else {
                files.fileSystem.close(stateFile)
                return nil
            }
            let state = try sitDown(files, stateFile)
            _ = state.buryDead()
            let seat = IndexSeat(files: files, state: state, stateFile: stateFile)
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
    func lock() throws(FileSystemError) { _ = try files.fileSystem.lock(stateFile, .exclusive, waits: true) }

    func unlock() { _ = try? files.fileSystem.lock(stateFile, .none, waits: true) }

    /// Whether the index is still where it was, and the same: somebody may have removed it or cut it off, and others have
    /// made a new one.
    var isInPlace: Bool { state.reading != nil && files.isState(stateFile) }

    /// Whether the file of numbers has no name any more.
    var isRemoved: Bool {
        get throws(FileSystemError) { try files.fileSystem.status(of: stateFile).linkCount == 0 }
    }

    /// The number of the journal that changes go to.
    var epoch: UInt64 {
        get throws(FileSystemError) {
            guard let reading = state.reading else { throw FileSystemError(.read, stateFile.path, code: EUCLEAN) }
            return reading.header.epoch
        }
    }

    /// Gives the place up.
    func leave() { state.close() }
}
