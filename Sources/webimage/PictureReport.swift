import WebImage
import WebImageCommandLine

/// The report of a command about one picture, as JSON or as text.
protocol PictureRecord: Encodable, Sendable {
    var error: ErrorRecord? { get set }

    /// For people.
    func text(name: String) -> String
}

/// A command that tells one thing of each of its pictures, which it looks at by itself.
protocol PictureReport: Command, Sendable {
    associatedtype Record: PictureRecord

    /// The most pictures at a time.
    static var concurrency: Int { get }
    var request: RequestOptions { get set }
    var pictures: PictureList { get }

    /// The record of a picture of which nothing is known yet.
    func record(of operand: Operand) -> Record

    /// Looks at a picture.
    func fill(_ record: inout Record, from operand: Operand, on console: Console) async throws(WebImageError)
}

extension PictureReport {
    var operands: [Operand] { pictures.operands }

    func run(on console: Console) async -> ExitCode {
        if operands.contains(where: \.wouldBeTyped) {
            return console.refuse(.typedPicture, command: Self.name)
        }
        var command = self
        if let code = await command.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            return await command.tell(of: try await pictures.read().operands, on: console)
        } catch {
            return console.fail(Self.name, error)
        }
    }

    private func tell(of operands: [Operand], on console: Console) async -> ExitCode {
        var outcomes: [Int: PictureOutcome<Record>] = [:]
        var (told, isDone) = (0, true)
        await Array(operands.indices).forEachConcurrently(limit: Self.concurrency) { index in
            await outcome(of: operands[index], on: console)
        } receive: { index, outcome in
            outcomes[index] = outcome
            // Prints in the order of the operands, each as soon as all before it are known.
            while let next = outcomes.removeValue(forKey: told) {
                isDone = isDone && next.error == nil
                tell(next, operands[told], on: console)
                told += 1
            }
        }
        return isDone && told == operands.count && !console.hasLostOutput ? .done : .failed
    }

    private func outcome(of operand: Operand, on console: Console) async -> PictureOutcome<Record> {
        var outcome = PictureOutcome(record: record(of: operand))
        do throws(WebImageError) {
            try await fill(&outcome.record, from: operand, on: console)
        } catch {
            outcome.error = error
            outcome.record.error = ErrorRecord(error)
        }
        return outcome
    }

    private func tell(_ outcome: PictureOutcome<Record>, _ operand: Operand, on console: Console) {
        if let error = outcome.error {
            guard !error.isCancelled else { return }
            console.printError("\(operand.name): \(error.reason)")
        }
        if report.isJSON {
            console.printLine(JSON.line(outcome.record))
        } else if outcome.error == nil, !report.isQuiet {
            console.printLine(outcome.record.text(name: operand.name))
        }
    }
}

/// A picture's record, and why it is not complete.
private struct PictureOutcome<Record: PictureRecord>: Sendable {
    var record: Record
    var error: WebImageError?
}
