import Glibc
import WebImageCore
import WebImageIsolation
import WebImageSandbox

/// A worker as its helper knows it, until the app has collected it.
struct ForkedWorker {
    private let number: pid_t
    /// nil for one that can start none.
    private let maximumThreadCount: Int?
    /// nil for one that gets no fonts, or no more.
    private var fonts: FontQuestions?
    /// The outcome of its questions for fonts.
    private var fontFinding: WorkerFinding?
    private var hasTooManyThreads = false

    init(_ number: pid_t, maximumThreadCount: Int?, fonts: PacketSocket?) {
        self.number = number
        self.maximumThreadCount = maximumThreadCount
        self.fonts = fonts.map { FontQuestions(connection: $0) }
    }

    /// The connection on which it asks for fonts.
    var fontConnection: PacketSocket? { fonts?.connection }

    mutating func answerQuestion(by broker: FontBroker) {
        guard var questions = fonts else { return }
        let goesOn = broker.answer(&questions)
        fonts = goesOn ? questions : nil
        fontFinding = questions.finding
    }

    /// Whether its threads are to be counted.
    var isWatched: Bool { maximumThreadCount != nil && !hasTooManyThreads }

    /// Kills it where it has too many threads. The kernel counts none of root's, and of other users' only those in a user
    /// namespace: a picture could use up the processes of the whole system.
    mutating func watchThreads() {
        guard isWatched, let maximumThreadCount, SandboxedFork.threadCount(of: number) > maximumThreadCount else {
            return
        }
        hasTooManyThreads = true
        kill(number, SIGKILL)
    }

    /// Ends the worker where the app could not, and leaves no zombie.
    func collect() -> HelperReply {
        kill(number, SIGKILL)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        return .ended(status: status, finding: finding(for: status))
    }

    private func finding(for status: Int32) -> WorkerFinding? {
        if hasTooManyThreads { return .tooManyThreads }
        switch status {
        case WorkerStatus.fontMissing << 8: return fontFinding
        case WorkerStatus.threadRefused << 8: return maximumThreadCount == nil ? nil : .noThread
        default: return nil
        }
    }
}
