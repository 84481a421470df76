import Glibc

/// A place among those who use an index: a byte of the file `users`, locked as long as the process lives. The system gives
/// the lock up when it ends, however that comes, and the others can tell.
struct IndexUsers: Sendable {
    /// The number of this place.
    let seat: Int
    /// Whether nobody else had one when this was taken.
    let isAlone: Bool
    private let file: OpenFile
    private let fileSystem: any FileSystem

    private init(seat: Int, isAlone: Bool, file: OpenFile, _ fileSystem: any FileSystem) {
        (self.seat, self.isAlone, self.file, self.fileSystem) = (seat, isAlone, file, fileSystem)
    }

    /// Takes a free place. Only for who has locked the index: nobody else can come in between.
    static func join(_ files: IndexFiles) throws(FileSystemError) -> IndexUsers {
        let (file, fileSystem) = (try files.openUsers(), files.fileSystem)
        do throws(FileSystemError) {
            if try fileSystem.lock(file, bytes: 0..<IndexState.seatCount) {
                try fileSystem.unlock(file, bytes: 1..<IndexState.seatCount)
                return IndexUsers(seat: 0, isAlone: true, file: file, fileSystem)
            }
            for seat in 0..<IndexState.seatCount {
                guard try fileSystem.lock(file, bytes: seat..<seat + 1) else { continue }
                return IndexUsers(seat: seat, isAlone: false, file: file, fileSystem)
            }
            throw FileSystemError(.lock, file.path, code: EUSERS)
        } catch {
            fileSystem.close(file)
            throw error
        }
    }

    /// Calls `body` when nobody has a seat; nobody takes it meanwhile.
    func ifFree(_ seat: Int, _ body: () -> Void) {
        guard seat != self.seat, (try? fileSystem.lock(file, bytes: seat..<seat + 1)) == true else { return }
        body()
        try? fileSystem.unlock(file, bytes: seat..<seat + 1)
    }

    func leave() { fileSystem.close(file) }
}
