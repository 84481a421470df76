import Glibc

/// A place among those who use an index. The locks go with the files that hold them: when they are closed, at the latest
/// by the end of the process, however it comes.
struct IndexSeat: Sendable {
    let files: IndexFiles
    let state: IndexState
    private let stateFile: OpenFile
    private let usersFile: OpenFile

    /// Takes a place, and waits for whoever is changing the snapshot and the journals' order. Who is alone and finds
    /// that another one died in the middle of a change notes it as damage.
    ///
    /// - Returns: nil when a newer version of the library has the index.
    static func take(_ files: IndexFiles) throws(FileSystemError) -> IndexSeat? {
        let stateFile = try files.openState()
        do throws(FileSystemError) {
            _ = try files.fileSystem.lock(stateFile, .exclusive, waits: true)
            let state = try files.mapState(stateFile)
            guard state.validity != .newer else {
                files.fileSystem.close(stateFile)
                return nil
            }
            let (usersFile, isAlone) = try sitDown(files)
            let seat = IndexSeat(files: files, state: state, stateFile: stateFile, usersFile: usersFile)
            if state.validity == .invalid {
                guard isAlone else {
                    files.fileSystem.close(usersFile)
                    throw FileSystemError(.map, files.directory, code: EUCLEAN)
                }
                state.initialize(epoch: files.unusedEpoch(after: 0))
            }
            if isAlone, state.hasUnfinished {
                state.forgetUnfinished()
                state.noteDamage()
            }
            seat.unlock()
            return seat
        } catch {
            files.fileSystem.close(stateFile)
            throw error
        }
    }

    private static func sitDown(_ files: IndexFiles) throws(FileSystemError) -> (OpenFile, isAlone: Bool) {
        let usersFile = try files.openUsers()
        do throws(FileSystemError) {
            let isAlone = try files.fileSystem.lock(usersFile, .exclusive, waits: false)
            // Nobody else can come in between: they wait for the state.
            _ = try files.fileSystem.lock(usersFile, .shared, waits: true)
            return (usersFile, isAlone)
        } catch {
            files.fileSystem.close(usersFile)
            throw error
        }
    }

    /// Keeps everybody else from changing the snapshot and the journals' order.
    func lock() throws(FileSystemError) { _ = try files.fileSystem.lock(stateFile, .exclusive, waits: true) }

    func unlock() { _ = try? files.fileSystem.lock(stateFile, .none, waits: true) }

    /// Whether the index is still where it was: somebody may have removed it, and others have made a new one.
    var isInPlace: Bool { files.isState(stateFile) }

    /// Gives the place up. The lock has to be given up by itself: a file that is mapped outlives its descriptor.
    func leave() {
        unlock()
        files.fileSystem.close(usersFile)
        files.fileSystem.close(stateFile)
    }
}
