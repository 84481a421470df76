import Foundation
import WebImageCore

extension JobQueue {
    /// A queue whose jobs run on their own threads: a test may hold any number of them, and others continue.
    static func withOwnThreads(limit: Int = 16) -> JobQueue {
        JobQueue(limit: limit) { _, work in Thread.detachNewThread(work) }
    }
}
