import WebImageCore
import WebImageHTTP

extension LoadStages {
    /// Makes the thumbnail, puts it into memory, and calls back on the decoding queue; with nil where that is
    /// impossible.
    func reduce(
        _ larger: LargerImage, priority: LoadPriority, completion: @escaping @Sendable (Image?) -> Void
    ) -> any CancellableTask {
        let work = { @Sendable in
            let image = larger.reduced()
            if let image, plan.storeTiers.contains(.memory) { plan.storeInMemory(image, at: larger.generation) }
            completion(image)
        }
        guard !plan.options.contains(.queryDiskDataSync) else {
            work()
            return EndedLoadTask()
        }
        return QueuedJob(ticket: shared.queue.submit(priority: priority, work), queue: shared.queue)
    }
}

/// A job that waits in a queue.
private final class QueuedJob: CancellableTask {
    private let ticket: JobQueue.Ticket
    private let queue: JobQueue

    init(ticket: JobQueue.Ticket, queue: JobQueue) {
        self.ticket = ticket
        self.queue = queue
    }

    func cancel() { queue.remove(ticket) }
    func setPriority(_ priority: LoadPriority) { queue.move(ticket, to: priority) }
}
