import WebImage
import WebImageCommandLine

/// One event of a load as JSON.
struct TraceRecord: Encodable, Sendable {
    let load: UInt64
    let parent: UInt64?
    let url: String
    let stage: String
    let phase: String
    /// Milliseconds since the first load began.
    let at: Double
    /// The duration of the stage, or the time to the first byte.
    var milliseconds: Double?
    var outcome: String?
    var bytes: Int?
    var transfer: TransferRecord?
    var error: ErrorRecord?

    init(_ event: LoadStageEvent, since start: ContinuousClock.Instant) {
        load = event.load
        parent = event.parent
        url = event.url.abbreviated
        stage = "\(event.stage)"
        at = start.duration(to: event.instant).preciseMilliseconds
        switch event.phase {
        case .began: phase = "began"
        case .firstByte(let time):
            phase = "firstByte"
            milliseconds = time.preciseMilliseconds
        case .ended(let ending, let duration):
            phase = "ended"
            milliseconds = duration.preciseMilliseconds
            take(ending)
            transfer = event.transfer.map { TransferRecord($0) }
        }
    }

    private mutating func take(_ ending: LoadStageEvent.Outcome) {
        switch ending {
        case .done(let byteCount):
            outcome = "done"
            bytes = byteCount
        case .missed: outcome = "missed"
        // No failure: the server has said that the cached picture is current.
        case .failed(let answer) where answer.code == .cacheNotModified: outcome = "notModified"
        case .failed(let failure):
            outcome = "failed"
            error = ErrorRecord(failure)
        }
    }
}

extension Duration {
    /// The time in milliseconds, to a microsecond.
    fileprivate var preciseMilliseconds: Double { ((self / .microseconds(1)).rounded()) / 1000 }
}
