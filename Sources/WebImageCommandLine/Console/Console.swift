import FoundationEssentials
import Glibc
import Synchronization
import WebImage

/// The program's output: results, errors, and on a terminal progress, without the passwords of URLs, and without control
/// characters but the console's own. Safe to use from any thread.
///
/// Progress is drawn below everything else, and only when standard error is a terminal; a printed line erases it first
/// and redraws it below.
package final class Console: Sendable {
    private struct State {
        var screen = ProgressScreen()
        /// The error of the first failed write to standard output.
        var outputFailure: Int32?
    }

    private let output: OutputDescriptor
    private let errors: OutputDescriptor
    private let state = Mutex(State())

    package init(output: OutputDescriptor = .standardOutput, errors: OutputDescriptor = .standardError) {
        self.output = output
        self.errors = errors
    }

    /// Whether progress can be drawn: on a terminal with control sequences.
    package var showsProgress: Bool { errors.isTerminal && getenv("TERM").map { String(cString: $0) } != "dumb" }

    /// Whether standard output is a terminal, to which no picture is written.
    package var outputIsTerminal: Bool { output.isTerminal }

    /// Whether standard error is a terminal, where a person sees a question.
    var errorsAreTerminal: Bool { errors.isTerminal }

    /// The columns of standard output's terminal; nil when it is none.
    package var outputColumns: Int? { outputSize?.columns }

    /// The size of standard output's terminal; nil when it is none.
    package var outputSize: TerminalSize? { output.terminalSize }

    /// The columns of standard error's terminal; nil when it is none.
    package var errorColumns: Int? { errors.terminalSize?.columns }

    /// Whether any standard output was lost.
    package var hasLostOutput: Bool { state.withLock { $0.outputFailure != nil } }

    /// Prints a result.
    package func printLine(_ line: String) { printText(line + "\n") }

    package func printText(_ text: String) { printBytes(Data(text.printed.utf8)) }

    /// Prints what has no addresses in it, and may have control sequences, such as a drawing.
    package func printBytes(_ bytes: Data) {
        aboveProgress { state in
            guard state.outputFailure == nil else { return }
            let failure = output.write(bytes)
            guard failure != 0 else { return }
            state.outputFailure = failure
            // A reader that has closed its pipe needs no error.
            if failure != EPIPE { write(error: "cannot write to standard output: \(SystemError(failure))") }
        }
    }

    /// Prints one line: what failed, where, and what to do.
    package func printError(_ message: String) {
        aboveProgress { _ in write(error: message) }
    }

    /// Prints a line to standard error, for results when standard output carries a picture.
    package func printLineBesideOutput(_ line: String) {
        aboveProgress { _ in _ = errors.write(Data("\(line.printed)\n".utf8)) }
    }

    /// Prints a question to standard error.
    func printWithoutEnd(_ text: String) {
        aboveProgress { _ in _ = errors.write(Data(text.printed.utf8)) }
    }

    /// Writes a picture's bytes.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` when the reader has closed the pipe, otherwise the cause.
    package func writeToOutput(_ bytes: Data) throws(WebImageError) {
        let failure = output.write(bytes)
        if failure == EPIPE { throw .cancelled() }
        guard failure == 0 else { throw SystemError(failure).writing("standard output") }
    }

    /// Shows `bars` below everything printed so far; an empty list erases them.
    package func showProgress(_ bars: [ProgressBar]) {
        guard let size = errors.terminalSize else { return }
        state.withLock { state in
            let text = state.screen.draw(bars, columns: size.columns, rows: size.rows)
            _ = errors.write(Data(text.utf8))
        }
    }

    private func write(error message: String) {
        _ = errors.write(Data("webimage: \(message.withoutPasswords.withoutControls)\n".utf8))
    }

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

extension String {
    /// The part of a text of several lines that may reach a terminal.
    fileprivate var printed: String { withoutPasswords.linesWithoutControls }
}
