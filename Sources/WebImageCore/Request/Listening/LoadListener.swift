import FoundationEssentials

/// Receives every stage of every load of a manager, or of the one load whose context names it.
public protocol LoadListener: Sendable {
    /// A stage began or ended. Called for the events of a load one after the other, on the threads of the load's work,
    /// so it must be quick.
    ///
    /// Every stage that begins ends once; ``LoadStageEvent/Stage/whole`` begins first and ends last.
    func receive(_ event: LoadStageEvent)
}

/// The beginning or the end of one stage of one load.
///
/// ```swift
/// struct SlowDecodes: LoadListener {
///     func receive(_ event: LoadStageEvent) {
///         guard event.stage == .decode, case .ended(_, let duration) = event.phase, duration > .milliseconds(50)
///         else { return }
///         logger.debug("\(event.url) took \(duration) to decode")
///     }
/// }
/// ```
public struct LoadStageEvent: Sendable {
    /// The stages of a load, in their order.
    public enum Stage: Sendable, CaseIterable {
        /// The whole load, from the call to its end.
        case whole
        /// An interceptor that took the load over.
        case intercept
        /// The query of the memory cache.
        case memory
        /// Reading the finished picture's file.
        case disk
        /// Reading the original's file.
        case original
        /// Loading the bytes with the loader.
        case load
        /// Decoding the bytes.
        case decode
        /// Transforming the pixels.
        case transform
        /// Storing in the caches.
        case store
        /// Waiting for the callback queue. Once for all callbacks that wait there together.
        case deliver
    }

    /// Whether the stage began, or how it ended.
    public enum Phase: Sendable {
        /// It began.
        case began
        /// The loader reported the first bytes, `after` the beginning; at most once, and only in ``Stage/load``. A
        /// loader without progress reports has none.
        case firstByte(after: Duration)
        /// It ended after `duration`.
        case ended(Outcome, duration: Duration)
    }

    /// How a stage ended.
    public enum Outcome: Sendable {
        /// With success; with the number of bytes where the stage processes bytes, otherwise nil.
        case done(byteCount: Int?)
        /// Without a result: the picture was not there.
        case missed
        /// With an error, such as a cancellation, or ``WebImageError/Code/cacheNotModified`` when a server confirms
        /// that a picture is current.
        case failed(WebImageError)
    }

    /// The load's number, unique in the process.
    public var load: UInt64
    /// The load that an interceptor has taken over and that has started this one; nil for all others.
    public var parent: UInt64?
    /// The requested address.
    public var url: URL
    /// The stage.
    public var stage: Stage
    /// The beginning or the end.
    public var phase: Phase
    /// The times of the transfer, where a ``Stage/load`` that had one has ended, with success or with an error; otherwise
    /// nil. A load that is cancelled ends at once, before its transfer is known to have ended: it has none.
    public var transfer: TransferMetrics?
    /// The time of the event.
    public var instant: ContinuousClock.Instant

    /// An event, for tests of listeners.
    package init(
        load: UInt64, parent: UInt64? = nil, url: URL, stage: Stage, phase: Phase, transfer: TransferMetrics? = nil,
        instant: ContinuousClock.Instant
    ) {
        self.transfer = transfer
        self.load = load
        self.parent = parent
        self.url = url
        self.stage = stage
        self.phase = phase
        self.instant = instant
    }
}
