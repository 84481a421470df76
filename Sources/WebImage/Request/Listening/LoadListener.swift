import FoundationEssentials

/// Hears of every stage of every load of a manager, or of the one load whose context names it.
public protocol LoadListener: Sendable {
    /// A stage began or ended. Called for one event of a load after the other, on the threads where the load's work is
    /// done, so it must be quick.
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
    /// What a load does, in the order of the road.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The whole load, from the call to its ending.
        case whole
        /// An interceptor that took the load over.
        case intercept
        /// A look into the memory cache.
        case memory
        /// Reading the finished picture's file.
        case disk
        /// Reading the original's file.
        case original
        /// Getting the bytes from the loader.
        case load
        /// Turning bytes into pixels.
        case decode
        /// Making another picture of the pixels.
        case transform
        /// Putting things into the caches.
        case store
        /// Waiting for the callback queue. Once for all that waits there together.
        case deliver
    }

    /// Whether the stage began, or how it ended.
    public enum Phase: Sendable {
        /// It began.
        case began
        /// The loader told of the first bytes, `after` the beginning; at most once, and of ``Stage/load`` only. A loader
        /// that tells of no progress has none.
        case firstByte(after: Duration)
        /// It ended after `duration`.
        case ended(Outcome, duration: Duration)
    }

    /// How a stage ended.
    public enum Outcome: Sendable {
        /// With what it was for; the number of bytes where it is about bytes, otherwise nil.
        case done(byteCount: Int?)
        /// With nothing: the picture was not there.
        case missed
        /// With an error: a cancellation is one, and so is ``WebImageError/Code/cacheNotModified``, by which a server
        /// says that a picture that is refreshed is still good.
        case failed(WebImageError)
    }

    /// Tells loads apart; no two loads of a process have the same.
    public var load: UInt64
    /// The load that an interceptor has taken over and that this one is a part of; nil for all others.
    public var parent: UInt64?
    /// The address that was asked for.
    public var url: URL
    /// Which stage.
    public var stage: Stage
    /// What happened.
    public var phase: Phase
    /// When.
    public var instant: ContinuousClock.Instant

    /// An event, for tests of listeners.
    public init(
        load: UInt64, parent: UInt64? = nil, url: URL, stage: Stage, phase: Phase, instant: ContinuousClock.Instant
    ) {
        self.load = load
        self.parent = parent
        self.url = url
        self.stage = stage
        self.phase = phase
        self.instant = instant
    }
}
