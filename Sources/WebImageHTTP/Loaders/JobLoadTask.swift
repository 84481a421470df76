import FoundationEssentials
import Synchronization
import WebImageCore

/// A load that is one job on a queue: reading a file, decoding a `data:` URL.
package final class JobLoadTask: CancellableTask {
    package typealias Work = @Sendable (_ cancellation: CancellationFlag) throws(WebImageError) -> ImageLoadResponse

    private let url: URL
    private let queue: JobQueue
    private let receiver: LoadReceiver
    private let cancellation = CancellationFlag()
    private let ticket = Mutex<JobQueue.Ticket?>(nil)

    /// Queues `work`, whose response or error ends the load.
    package init(
        _ request: ImageLoadRequest, queue: JobQueue, receive: @escaping @Sendable (ImageLoadEvent) -> Void,
        work: @escaping Work
    ) {
        url = request.url
        self.queue = queue
        receiver = LoadReceiver(receive)
        let ticket = queue.submit(priority: request.priority) { self.run(work) }
        self.ticket.withLock { $0 = ticket }
    }

    package func cancel() {
        cancellation.cancel()
        // A job that has started, or is about to, checks the flag and delivers the end itself.
        if let ticket = ticket.withLock({ $0 }), queue.remove(ticket) { finish(.failure(.cancelled())) }
    }

    package func setPriority(_ priority: LoadPriority) {
        if let ticket = ticket.withLock({ $0 }) { queue.move(ticket, to: priority) }
    }

    private func run(_ work: Work) {
        guard !cancellation.isCancelled else { return finish(.failure(.cancelled())) }
        do throws(WebImageError) {
            let response = try work(cancellation)
            let byteCount = response.data.count
            receiver.report(LoadProgress(receivedByteCount: byteCount, expectedByteCount: byteCount))
            finish(cancellation.isCancelled ? .failure(.cancelled()) : .success(response))
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<ImageLoadResponse, WebImageError>) {
        receiver.take()?(.finished(result.mapError { $0.about(url) }))
    }
}
