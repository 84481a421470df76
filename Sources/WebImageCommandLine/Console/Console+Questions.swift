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
}
