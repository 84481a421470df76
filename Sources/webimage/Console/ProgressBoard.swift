import Synchronization
import WebImage
import WebImageCommandLine

/// The running loads, drawn on a terminal ten times a second. Safe to use from any thread.
final class ProgressBoard: Sendable {
    private struct State {
        var bars: [(number: Int, bar: ProgressBar)] = []
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Draws until the calling task is cancelled, then erases the lines.
    func draw(on console: Console) async {
        // Loads that end within a tenth of a second would only flicker.
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            console.showProgress(state.withLock { $0.bars.map(\.bar) })
        }
        console.showProgress([])
    }

    /// Adds a load.
    func add(_ label: String) -> Entry {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.bars.append((state.nextNumber, ProgressBar(label: label)))
            return Entry(board: self, number: state.nextNumber)
        }
    }

    /// One load on the board.
    struct Entry: Sendable {
        fileprivate let board: ProgressBoard
        fileprivate let number: Int

        func update(_ progress: LoadProgress) {
            change { bars, index in
                bars[index].bar.receivedByteCount = progress.receivedByteCount
                bars[index].bar.fraction = progress.fractionCompleted
            }
        }

        func remove() {
            change { bars, index in bars.remove(at: index) }
        }

        private func change(_ body: (inout [(number: Int, bar: ProgressBar)], Int) -> Void) {
            board.state.withLock { state in
                guard let index = state.bars.firstIndex(where: { $0.number == number }) else { return }
                body(&state.bars, index)
            }
        }
    }
}
