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
    ///
    /// - Parameter isSettled: Whether a place's last owner has left nothing to be found out. Others who are about to do that
    ///   would take whoever has his place for him, and believe that he lives.
    init(
        in file: OpenFile, _ fileSystem: any FileSystem, isSettled: (_ seat: Int) -> Bool
    ) throws(FileSystemError) {
        (self.file, self.fileSystem) = (file, fileSystem)
        if try fileSystem.lock(file, bytes: Self.bytes(of: 0..<IndexState.seatCount), as: .exclusive) {
            try fileSystem.unlock(file, bytes: Self.bytes(of: 1..<IndexState.seatCount))
            (seat, isAlone) = (0, true)
            return
        }
        isAlone = false
        for seat in 0..<IndexState.seatCount
        where try Self.lock(seat, ofFile: file, fileSystem, if: isSettled) {
            self.seat = seat
            return
        }
        // Rather a dead one's than none.
        for seat in 0..<IndexState.seatCount
        where try fileSystem.lock(file, bytes: Self.bytes(of: seat..<seat + 1), as: .exclusive) {
            self.seat = seat
            return
        }
        throw FileSystemError(.lock, file.path, code: EUSERS)
    }

    private static func lock(
        _ seat: Int, ofFile file: OpenFile, _ fileSystem: any FileSystem, if isSettled: (Int) -> Bool
    ) throws(FileSystemError) -> Bool {
        let bytes = bytes(of: seat..<seat + 1)
        guard try fileSystem.lock(file, bytes: bytes, as: .shared) else { return false }
        if isSettled(seat), try fileSystem.lock(file, bytes: bytes, as: .exclusive) { return true }
        try fileSystem.unlock(file, bytes: bytes)
        return false
    }

    /// Calls `body` when nobody has a seat; nobody takes it meanwhile. Others may be doing the same: who has to wait for
    /// somebody who is stopped just then would believe that the seat is taken.
    func ifFree(_ seat: Int, _ body: () -> Void) {
        let bytes = Self.bytes(of: seat..<seat + 1)
        guard seat != self.seat, (try? fileSystem.lock(file, bytes: bytes, as: .shared)) == true else { return }
        body()
        try? fileSystem.unlock(file, bytes: bytes)
    }

    private static func bytes(of seats: Range<Int>) -> Range<Int> {
        IndexState.size + seats.lowerBound..<IndexState.size + seats.upperBound
    }
}
