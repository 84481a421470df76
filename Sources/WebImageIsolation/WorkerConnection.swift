import WebImageCore

/// A worker that has been started, as the app sees it. One thread at a time.
package protocol WorkerConnection: AnyObject, Sendable {
    /// - Throws: The reason why the worker has ended.
    func send(_ packet: consuming WorkerPacket) throws(WebImageError)

    /// Begins the limit of time anew: for an answer, or for its next part.
    func beginAnswer()

    /// The next packet; waits for it.
    ///
    /// - Parameter options: Their cancellation, and their limit of time since ``beginAnswer()``, end the worker.
    /// - Throws: ``WebImageError/Code/cancelled``, ``WebImageError/Code/limitExceeded`` after the limit of time or of memory, and
    ///   ``WebImageError/Code/badImageData`` where the worker has ended otherwise.
    func receive(within options: ImageDecodeOptions) throws(WebImageError) -> WorkerPacket

    /// Begins another picture.
    ///
    /// - Returns: False for a worker that must not get one: it has ended, has more to say than it was asked for, or has used
    ///   much of its time.
    func begin(within limits: ImageLimits) -> Bool

    /// Kills the worker, and returns once the kernel has ended it: nothing changes its buffers from then on.
    func end()

    /// Kills the worker, and does not wait: no other worker gets its buffers before its end.
    func dismiss()
}

extension WorkerConnection {
    package func beginAnswer() {}
    package func begin(within limits: ImageLimits) -> Bool { false }
    package func dismiss() { end() }
}

/// A source of workers.
package protocol WorkerSource: Sendable {
    /// A worker that has not seen a picture.
    ///
    /// - Parameter kind: What it will decode, which decides what it may do.
    func makeWorker(
        for kind: DecoderKind, limits: ImageLimits
    ) throws(WebImageError) -> any WorkerConnection

    /// Memory that a worker may write, of at least `byteCount` bytes, all of them zero.
    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer
}

/// The side of the worker.
package protocol WorkerChannel: AnyObject, Sendable {
    /// The next packet; waits for it. Nil at the end of the app.
    func receive() -> WorkerPacket?

    /// - Returns: False where the app has ended.
    func send(_ packet: consuming WorkerPacket) -> Bool
}
