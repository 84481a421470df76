/// Says, for as long as it is held, that files are changed of which nobody is told: the first one looks at all of them who
/// joins, or asks what is there, after it was let go, also by a process's death. While a file says so, others look as well.
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

    /// The place itself says so, in the middle of a change, until it is given up with this sign.
    init(keeping seat: IndexSeat) { place = .seat(seat) }

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
