/// A job that waits in a queue; cancelled, it leaves the queue.
package final class QueuedJob: CancellableTask {
    private let ticket: JobQueue.Ticket
    private let queue: JobQueue

    fileprivate init(ticket: JobQueue.Ticket, queue: JobQueue) {
        self.ticket = ticket
        self.queue = queue
    }

    package func cancel() { queue.remove(ticket) }
    package func setPriority(_ priority: LoadPriority) { queue.move(ticket, to: priority) }
}

extension JobQueue {
    /// Queues `job`, and returns the task that it is.
    package func schedule(priority: LoadPriority, _ job: @escaping Job) -> QueuedJob {
        QueuedJob(ticket: submit(priority: priority, job), queue: self)
    }
}
