import WebImage

/// The connection on which one worker asks for fonts, and what has come of its questions.
struct FontQuestions {
    let connection: PacketSocket
    /// Why the worker may have ended for want of a file.
    var finding: WorkerFinding?
}
