import Glibc

/// A place among those who use an index: a byte behind the end of the file of numbers, locked as long as the process lives.
/// The system gives the lock up when it ends, however that comes, and the others can tell. Whoever sees the numbers sees
/// who holds them: no other file has to be there for that.
struct IndexPlace: Sendable {
    /// The number of this place.
    let seat: Int
    /// Whether nobody else had one when this was taken.
    let isAlone: Bool
    private let file: OpenFile
    private let fileSystem: any FileSystem

    /// Takes a free place, for as long as the file is open.
    init(in file: OpenFile, _ fileSystem: any FileSystem) throws(FileSystemError) {
        (self.file, self.fileSystem) = (file, fileSystem)
        if try fileSystem.lock(file, bytes: Self.bytes(of: 0..<IndexState.seatCount)) {
            try fileSystem.unlock(file, bytes: Self.bytes(of: 1..<IndexState.seatCount))
            (seat, isAlone) = (0, true)
            return
        }
        for seat in 0..<IndexState.seatCount where try fileSystem.lock(file, bytes: Self.bytes(of: seat..<seat + 1)) {
            (self.seat, isAlone) = (seat, false)
            return
        }
        throw FileSystemError(.lock, file.path, code: EUSERS)
    }

    /// Calls `body` when nobody has a seat; nobody takes it meanwhile.
    func ifFree(_ seat: Int, _ body: () -> Void) {
        let bytes = Self.bytes(of: seat..<seat + 1)
        guard seat != self.seat, (try? fileSystem.lock(file, bytes: bytes)) == true else { return }
        body()
        try? fileSystem.unlock(file, bytes: bytes)
    }

    private static func bytes(of seats: Range<Int>) -> Range<Int> {
        IndexState.size + seats.lowerBound..<IndexState.size + seats.upperBound
    }
}
