import Dispatch
import Foundation
import Synchronization
import WebImageCore

/// Tells of each request in a line of JSON. Any thread.
///
/// Lines are written behind the answers: a log that cannot be written, or a pipe that nothing reads, costs lines and nothing else.
final class AccessLog: Sendable {
    struct Entry: Encodable, Sendable {
        let time: String
        let id: String
        let client: String
        let method: String
        let target: String
        let status: Int
        let bytes: Int
        let milliseconds: Double
        /// The place that the picture has come from.
        var from: String?
        var format: String?
        var error: String?
    }

    private let place: String
    private let output: Mutex<FileHandle?>
    private let queue = DispatchQueue(label: "webimage.access-log")
    private let state = Mutex(State())

    private struct State {
        /// Lines that are not written yet.
        var waitingCount = 0
        var lostCount = 0
        /// Since the last line that could be written.
        var hasFailed = false
    }

    private static let maximumWaitingCount = 10_000

    /// - Parameter place: `-` for standard output, a file's path, `off` for none.
    init(_ place: String) throws(PictureServerError) {
        self.place = place
        output = Mutex(try Self.handle(place))
    }

    /// Lines that were not written.
    var lostCount: Int { state.withLock { $0.lostCount } }

    /// Goes on in the file that has its name now: the one before may have been moved away.
    ///
    /// - Throws: ``PictureServerError``; the file before stays then.
    func reopen() throws(PictureServerError) {
        let handle = try Self.handle(place)
        output.withLock { $0 = handle }
    }

    func note(_ entry: Entry) {
        guard place != "off" else { return }
        let hasRoom = state.withLock { state in
            guard state.waitingCount < Self.maximumWaitingCount else {
                state.lostCount += 1
                return false
            }
            state.waitingCount += 1
            return true
        }
        if hasRoom { queue.async { [self] in write(entry) } }
    }

    /// Waits until the lines so far are written, for a second at most.
    func finish() {
        let written = DispatchSemaphore(value: 0)
        queue.async { written.signal() }
        _ = written.wait(timeout: .now() + 1)
    }

    private func write(_ entry: Entry) {
        let isWritten = (try? writeNow(entry)) != nil
        let isNews = state.withLock { state in
            state.waitingCount -= 1
            if !isWritten { state.lostCount += 1 }
            defer { state.hasFailed = !isWritten }
            return !isWritten && !state.hasFailed
        }
        if isNews { WebImageLog.warn("the access log \(place) cannot be written; requests are served without it") }
    }

    private func writeNow(_ entry: Entry) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let line = try encoder.encode(entry) + [10]
        // Out of the lock: a pipe may block it, and the log may be opened again meanwhile.
        try output.withLock { $0 }?.write(contentsOf: line)
    }

    private static func handle(_ place: String) throws(PictureServerError) -> FileHandle? {
        switch place {
        case "off": return nil
        case "-": return .standardOutput
        default:
            let descriptor = open(place, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else {
                throw PictureServerError("access-log: \(place) cannot be written: \(String(cString: strerror(errno)))")
            }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    }
}
