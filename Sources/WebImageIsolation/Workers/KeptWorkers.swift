import WebImageCore

/// Workers that wait for another picture of the same origin. They end with this object. Any thread.
package final class KeptWorkers: Sendable {
    struct Key: Hashable {
        let origin: DecodeOrigin
        let kind: DecoderKind
        let allowance: WorkerAllowance
    }

    private let idle: IdleWorkers<Key>

    private static let maximumCount = 4
    /// Memory that libraries forget to free must not add up.
    private static let maximumPictureCount = 100
    /// No other worker gets memory that this one may have mapped.
    private static let maximumByteCount = 32 << 20
    /// A worker has twice as many in its life, and the next picture may take some.
    private static let maximumBufferCount = WorkerRequest.maximumBufferCount / 2

    /// nil for a policy that keeps none.
    package init?(_ policy: DecoderIsolation.WorkerPolicy, pressure: MemoryPressure = .shared) {
        guard case .perOrigin(let idleTime) = policy else { return nil }
        idle = IdleWorkers(maximumCount: Self.maximumCount, idleTime: idleTime, pressure: pressure)
    }

    func take(_ key: Key, within limits: ImageLimits) -> IdleWorker? { idle.take(key, within: limits) }

    /// Keeps a worker that has answered all that it was asked, without an error.
    ///
    /// - Returns: False for one that is too old.
    func keep(_ worker: IdleWorker, for key: Key) -> Bool {
        guard worker.pictureCount < Self.maximumPictureCount, worker.buffers.count <= Self.maximumBufferCount,
            worker.lentByteCount <= Self.maximumByteCount
        else { return false }
        idle.add(worker, for: key)
        return true
    }

    /// Ends those of an origin, one of which has failed.
    func drop(_ key: Key) { idle.drop(key) }

    /// Ends those that have waited for long.
    func dropIdle(at now: ContinuousClock.Instant) { idle.dropIdle(at: now) }
}

extension IdleWorker {
    fileprivate var lentByteCount: Int { (buffers + fileBuffers).reduce(0) { $0 + $1.bytes.count } }
}
