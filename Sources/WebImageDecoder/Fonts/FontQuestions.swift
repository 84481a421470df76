import WebImageIsolation

/// The connection on which one worker asks for fonts, and what has come of its questions.
struct FontQuestions {
    let connection: PacketSocket
    /// Why the worker may have ended for want of a file.
    var finding: WorkerFinding?
    private var count = 0

    /// A page of hundreds of fonts and sizes asks a few thousand times. The helper's time for them is of no limit.
    static let maximumCount = 20_000

    init(connection: PacketSocket) { self.connection = connection }

    /// The path that is asked for; nil where the worker has ended, or asks for what no font library does.
    mutating func next() -> [UInt8]? {
        guard count < Self.maximumCount else {
            finding = .tooManyFiles
            return nil
        }
        count += 1
        guard case .packet(let packet) = connection.receive(waits: false) else { return nil }
        return packet.bytes
    }
}
