import Dispatch
import FoundationEssentials
import Synchronization
import WebImage

/// Loads pictures from phones and servers that have no path on this machine.
nonisolated enum PlaceLoader {
    /// The loader of all addresses but those of the web, of files and of data.
    static func make() -> ClosureImageLoader {
        ClosureImageLoader(canLoad: canLoad) { request in
            let uri = request.url.absoluteString
            let cancellable = Cancellable()
            return try await withTaskCancellationHandler {
                try await read(uri, cancellable).get()
            } onCancel: {
                cancellable.cancel()
            }
        }
    }

    private static func canLoad(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased() else { return false }
        return !["http", "https", "file", "data"].contains(scheme)
    }

    private static func read(_ uri: String, _ cancellable: Cancellable) async -> Result<Data, any Error> {
        await PlaceQueue.run {
            Result {
                do throws(SourceProblem) {
                    return try PlaceFile(uri: uri).contents(cancellable)
                } catch {
                    throw WebImageError(.transferFailed, stage: .load, kind: .transient, reason: error.message)
                }
            }
        }
    }
}

/// Where reading may block: a few threads, because phones and servers serve few readers at a time.
nonisolated enum PlaceQueue {
    private static let queues = (0..<3).map { DispatchQueue(label: "webimage-gallery.places.\($0)") }
    private static let turn = Mutex(0)

    /// Runs `body` on one of the threads.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        let number = turn.withLock { turn in
            turn = (turn + 1) % queues.count
            return turn
        }
        return await withCheckedContinuation { continuation in
            queues[number].async { continuation.resume(returning: body()) }
        }
    }
}
