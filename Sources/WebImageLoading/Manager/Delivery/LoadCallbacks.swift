import FoundationEssentials
import WebImageCore

/// The caller's closures of one load.
package struct LoadCallbacks: Sendable {
    package typealias Completion = @Sendable (Result<LoadResult, WebImageError>) -> Void
    package typealias Progress = @Sendable (LoadProgress) -> Void
    package typealias Update = @Sendable (LoadEvent) -> Void

    /// The queue for these closures, instead of the context's queue: a task that awaits a load resumes on its own
    /// executor, and another hop would only cost time.
    var queue: CallbackQueue?
    /// The priority at the beginning; nil for that of the request's options.
    package var priority: LoadPriority?
    package var progress: Progress?
    package var received: Update?
    package var completed: Completion?
    /// Called on the caller's thread, before the call that starts the load returns, when the picture is not in memory
    /// and the load continues with the disk or the loader. Not called for a load that an interceptor answers or takes
    /// over, or that is refused.
    package var memoryMissed: (@Sendable () -> Void)?
    /// Whether the load only brings the file to the disk, and needs no pixels.
    var goesToDisk = false
    /// The address in results, where interceptors may have replaced the one in the request.
    var requestedURL: URL?
    /// The identifier, for listeners, of the load that an interceptor has taken over and that waits for this one.
    var parent: UInt64?

    package init(
        queue: CallbackQueue? = nil, priority: LoadPriority? = nil, progress: Progress? = nil, received: Update? = nil,
        completed: Completion? = nil, memoryMissed: (@Sendable () -> Void)? = nil, goesToDisk: Bool = false,
        requestedURL: URL? = nil, parent: UInt64? = nil
    ) {
        self.queue = queue
        self.priority = priority
        self.progress = progress
        self.received = received
        self.completed = completed
        self.memoryMissed = memoryMissed
        self.goesToDisk = goesToDisk
        self.requestedURL = requestedURL
        self.parent = parent
    }

    /// The callback queue of `request`.
    func queue(for request: ImageRequest) -> CallbackQueue { queue ?? request.context.callbackQueue ?? .main }

    /// Removes all closures.
    mutating func silence() { (progress, received, completed, memoryMissed) = (nil, nil, nil, nil) }
}
