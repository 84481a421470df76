import FoundationEssentials

/// The caller's closures of one load.
struct LoadCallbacks: Sendable {
    typealias Completion = @Sendable (Result<LoadResult, WebImageError>) -> Void
    typealias Progress = @Sendable (LoadProgress) -> Void
    typealias Update = @Sendable (LoadUpdate) -> Void

    /// Where they are called, in place of the context's queue: a task that awaits a load resumes where it belongs by
    /// itself, and another hop would only cost.
    var queue: CallbackQueue?
    var progress: Progress?
    var received: Update?
    var completed: Completion?
    /// Called on the caller's thread, before the call that starts the load returns, when memory does not have the picture
    /// and somebody else is asked. Not called for a load that an interceptor answers or takes over, or that is refused.
    var memoryMissed: (@Sendable () -> Void)?
    /// Whether the file is only brought to the disk, and nobody wants its pixels.
    var goesToDisk = false
    /// The address that results name, where interceptors may have put another one into the request.
    var requestedURL: URL?
    /// The load that an interceptor has taken over and that waits for this one, as its listeners know it.
    var parent: UInt64?

    /// Where the caller of `request` is called back.
    func queue(for request: ImageRequest) -> CallbackQueue { queue ?? request.context.callbackQueue ?? .main }

    /// Nobody is called any more.
    mutating func silence() { (progress, received, completed, memoryMissed) = (nil, nil, nil, nil) }
}
