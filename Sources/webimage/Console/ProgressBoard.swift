import Synchronization
import WebImage
import WebImageCommandLine

/// The running work, drawn on a terminal ten times a second. Safe to use from any thread.
final class ProgressBoard: Sendable {
    private struct Row {
        let number: Int
        var bar: ProgressBar
        /// When the current activity began.
        var start: ContinuousClock.Instant?

        /// The bar at this moment.
        var current: ProgressBar {
            var bar = bar
            if let start { bar.elapsed = start.duration(to: .now) }
            return bar
        }
    }

    private struct State {
        var rows: [Row] = []
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Runs `work` with a board that is drawn meanwhile; without one where no progress is shown.
    static func shown<Value>(
        on console: Console, isQuiet: Bool, _ work: (ProgressBoard?) async -> Value
    ) async -> Value {
        guard console.showsProgress, !isQuiet else { return await work(nil) }
        let board = ProgressBoard()
        let drawing = Task { await board.draw(on: console) }
        let value = await work(board)
        drawing.cancel()
        await drawing.value
        return value
    }

    /// Draws until the calling task is cancelled, then erases the lines.
    private func draw(on console: Console) async {
        // Work that ends within a tenth of a second would only flicker.
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            console.showProgress(state.withLock { $0.rows.map(\.current) })
        }
        console.showProgress([])
    }

    /// Adds a picture.
    func add(_ label: String) -> Entry {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.rows.append(Row(number: state.nextNumber, bar: ProgressBar(label: label)))
            return Entry(board: self, number: state.nextNumber)
        }
    }

    /// One picture on the board.
    struct Entry: Sendable {
        fileprivate let board: ProgressBoard
        fileprivate let number: Int

        func update(_ progress: LoadProgress) {
            change { rows, index in
                rows[index].bar.receivedByteCount = progress.receivedByteCount
                rows[index].bar.fraction = progress.fractionCompleted
            }
        }

        /// Shows what is done now, and how long it has taken, in place of the bytes.
        func begin(_ activity: String) {
            change { rows, index in
                rows[index].bar.activity = activity
                rows[index].start = .now
            }
        }

        func remove() {
            change { rows, index in rows.remove(at: index) }
        }

        private func change(_ body: (inout [Row], Int) -> Void) {
            board.state.withLock { state in
                guard let index = state.rows.firstIndex(where: { $0.number == number }) else { return }
                body(&state.rows, index)
            }
        }
    }
}
