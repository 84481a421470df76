import Glibc
import WebImage

extension Console {
    /// Whether a person can be asked: both standard input and standard error are a terminal.
    package var canAsk: Bool { StandardInput.isTerminal && errorsAreTerminal }

    /// Asks for a yes; everything else, also the end of the input, is a no.
    ///
    /// - Parameter question: Without the choice of answers.
    package func isConfirmed(_ question: String, until cancellation: CancellationFlag) throws(WebImageError) -> Bool {
        printWithoutEnd("\(question) [y/N] ")
        let answer: String?
        do throws(WebImageError) {
            answer = try InputDescriptor.standardInput.readLine(until: cancellation)
        } catch {
            // The cursor stands behind the question.
            printWithoutEnd("\n")
            throw error
        }
        if answer == nil { printWithoutEnd("\n") }
        return ["y", "yes"].contains(answer?.trimmingSpaces.lowercased())
    }

    /// Asks for a password, which the terminal does not show; empty at the end of the input.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` soon after the flag is raised. The terminal shows what is typed again.
    package func password(_ question: String, until cancellation: CancellationFlag) throws(WebImageError) -> String {
        let echo = TerminalEcho.off()
        defer {
            echo?.restore()
            // The line's end was not shown either.
            printWithoutEnd("\n")
        }
        printWithoutEnd(question)
        return try InputDescriptor.standardInput.readLine(until: cancellation) ?? ""
    }
}

/// The settings of the terminal at standard input before it stopped showing what is typed.
private struct TerminalEcho {
    private let former: termios

    /// nil where standard input is no terminal.
    static func off() -> TerminalEcho? {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let echo = TerminalEcho(former: settings)
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        return echo
    }

    func restore() {
        var settings = former
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
