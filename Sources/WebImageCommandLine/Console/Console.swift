import FoundationEssentials
import Glibc
import Synchronization
import WebImage

/// What the program tells: results, errors, and on a terminal how far it is. Safe to use from any thread.
///
/// Progress is drawn below everything else, and only when standard error is a terminal; each line that is printed
/// makes room for itself first.
package final class Console: Sendable {
    private struct State {
        var screen = ProgressScreen()
        /// Why standard output takes no more, once it does not.
        var outputFailure: Int32?
    }

    private let output: OutputDescriptor
    private let errors: OutputDescriptor
    private let state = Mutex(State())

    package init(output: OutputDescriptor = .standardOutput, errors: OutputDescriptor = .standardError) {
        self.output = output
        self.errors = errors
    }

    /// Whether progress can be drawn: on a terminal that knows control sequences.
    package var showsProgress: Bool { errors.isTerminal && getenv("TERM").map { String(cString: $0) } != "dumb" }

    /// Whether pictures must not be written to standard output.
    package var outputIsTerminal: Bool { output.isTerminal }

    /// Columns of the terminal that results go to; nil when it is none.
    package var outputColumns: Int? { output.terminalSize?.columns }

    /// Columns of the terminal that errors go to; nil when it is none.
    package var errorColumns: Int? { errors.terminalSize?.columns }

    /// Whether anything that was meant for standard output got lost.
    package var hasLostOutput: Bool { state.withLock { $0.outputFailure != nil } }

    /// Prints a result.
    package func printLine(_ line: String) { printText(line + "\n") }

    package func printText(_ text: String) {
        aboveProgress { state in
            guard state.outputFailure == nil else { return }
            let failure = output.write(Data(text.utf8))
            guard failure != 0 else { return }
            state.outputFailure = failure
            // Whoever closed a pipe knows, and wants to hear no more.
            if failure != EPIPE { write(error: "cannot write to standard output: \(SystemError(failure))") }
        }
    }

    /// Prints one line that says what failed, where, and what to do.
    package func printError(_ message: String) {
        aboveProgress { _ in write(error: message) }
    }

    /// Prints a line where errors go, for results when standard output is taken by a picture.
    package func printLineBesideOutput(_ line: String) {
        aboveProgress { _ in _ = errors.write(Data("\(line)\n".utf8)) }
    }

    /// Writes a picture's bytes.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` when nobody reads any more, otherwise why the output takes no more.
    package func writeToOutput(_ bytes: Data) throws(WebImageError) {
        let failure = output.write(bytes)
        if failure == EPIPE { throw .cancelled() }
        guard failure == 0 else { throw SystemError(failure).writing("standard output") }
    }

    /// Shows `bars` below everything printed so far; an empty list leaves nothing behind.
    package func showProgress(_ bars: [ProgressBar]) {
        guard let size = errors.terminalSize else { return }
        state.withLock { state in
            let text = state.screen.draw(bars, columns: size.columns, rows: size.rows)
            _ = errors.write(Data(text.utf8))
        }
    }

    private func write(error message: String) { _ = errors.write(Data("webimage: \(message)\n".utf8)) }

    private func aboveProgress(_ print: (inout State) -> Void) {
        state.withLock { state in
            let columns = errors.terminalSize?.columns ?? 80
            let (erase, redraw) = state.screen.makeRoom(columns: columns)
            if !erase.isEmpty { _ = errors.write(Data(erase.utf8)) }
            print(&state)
            if !redraw.isEmpty { _ = errors.write(Data(redraw.utf8)) }
        }
    }
}
