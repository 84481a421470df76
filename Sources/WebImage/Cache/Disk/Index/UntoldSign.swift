/// Says beside the index, for as long as it is held, that files are changed of which nobody is told. Who joins then, or asks
/// what is there, looks at all of them, and so does the first one after it was let go, also by a process's death.
final class UntoldSign: Sendable {
    private enum Place {
        case file(OpenFile, any FileSystem)
        case seat(IndexSeat)
    }

    private let place: Place

    /// - Parameter writer: Who does not need the sign.
    /// - Returns: nil where none can be left.
    init?(in files: IndexFiles, by writer: UInt64) {
        if let file = files.makeUntoldMark(by: writer) {
            place = .file(file, files.fileSystem)
        } else {
            // Where no file can be made, those that are there can still be changed.
            guard let seat = try? IndexSeat.take(files) else { return nil }
            seat.state.begin()
            place = .seat(seat)
        }
    }

    deinit {
        switch place {
        case .file(let file, let fileSystem): fileSystem.close(file)
        case .seat(let seat):
            seat.state.noteDamage()
            seat.state.end()
            seat.leave()
        }
    }
}
