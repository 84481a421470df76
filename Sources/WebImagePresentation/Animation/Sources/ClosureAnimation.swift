import Synchronization
import WebImageCore

/// An animation whose frames an asynchronous function makes: from a server, a database, or drawn.
///
/// ```swift
/// let animation = try ClosureAnimation(frameCount: 60) { index in try await renderer.draw(index) }
/// let image = try await animation.makeImage()
/// ```
/// ``frame(at:)`` blocks its thread until the function returns. The function does not run on the threads that all tasks
/// share, so that it goes on where each of these waits for a frame; an actor with an executor of its own, such as the main
/// actor, must not be waiting itself. The code of one animation runs on one thread at a time.
public final class ClosureAnimation: AnimatedImageProvider {
    /// Makes frame `index`; all are of one size. Its task is cancelled by ``cancel()`` and at the end of the longest
    /// wait.
    public typealias MakeFrame = @Sendable (_ index: Int) async throws -> Bitmap

    private struct Run {
        let frame: PendingFrame
        let task: Task<Void, Never>
    }

    private struct State {
        var runs: [Int: Run] = [:]
        var number = 0
    }

    private let makeFrame: MakeFrame
    private let longestWait: Duration
    private let schedule: FrameSchedule
    private let executor = DispatchTaskExecutor(label: "WebImage.ClosureAnimation")
    private let state = Mutex(State())

    /// An animation whose frames all have the same duration.
    ///
    /// - Parameters:
    ///   - loopCount: The number of plays; 0 for endless.
    ///   - longestWait: The time after which a frame counts as failed.
    /// - Throws: ``WebImageError/Code/invalidOperation`` without frames.
    public convenience init(
        frameCount: Int, frameDuration: Duration = .milliseconds(100), loopCount: Int = 0,
        longestWait: Duration = .seconds(30), makeFrame: @escaping MakeFrame
    ) throws(WebImageError) {
        let durations = [Duration](repeating: frameDuration, count: max(0, frameCount))
        try self.init(durations: durations, loopCount: loopCount, longestWait: longestWait, makeFrame: makeFrame)
    }

    /// An animation with a duration for each frame.
    ///
    /// - Throws: ``WebImageError/Code/invalidOperation`` without frames.
    public init(
        durations: [Duration], loopCount: Int = 0, longestWait: Duration = .seconds(30),
        makeFrame: @escaping MakeFrame
    ) throws(WebImageError) {
        schedule = try FrameSchedule(durations, loopCount: loopCount)
        self.longestWait = longestWait
        self.makeFrame = makeFrame
    }

    /// The number of frames.
    public var frameCount: Int { schedule.count }
    /// The number of plays; 0 for endless.
    public var loopCount: Int { schedule.loopCount }

    /// The duration of a frame.
    public func duration(at index: Int) -> Duration { schedule.duration(at: index) }

    /// Waits for a frame. Blocks; not for the main thread.
    ///
    /// - Throws: The function's ``WebImageError``, or ``WebImageError/Code/badImageData`` with its other error;
    ///   ``WebImageError/Code/limitExceeded`` after the longest wait; ``WebImageError/Code/cancelled`` after
    ///   ``cancel()``.
    public func frame(at index: Int) throws(WebImageError) -> Bitmap {
        try schedule.requireFrame(index)
        return try schedule.checked(wait(for: index), at: index) { () throws(WebImageError) in try wait(for: 0) }
    }

    private func wait(for index: Int) throws(WebImageError) -> Bitmap {
        let (number, frame) = start(index)
        let result = frame.wait(atMost: longestWait)
        let run = state.withLock { $0.runs.removeValue(forKey: number) }
        guard let result else {
            run?.task.cancel()
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "frame \(index) took more than \(longestWait.seconds) s; raise longestWait to wait longer")
        }
        return try result.get()
    }

    private func start(_ index: Int) -> (Int, PendingFrame) {
        let frame = PendingFrame()
        let makeFrame = makeFrame
        return state.withLock { state in
            let task = Task.detached(executorPreference: executor) {
                frame.finish(await Self.result(of: index, makeFrame))
            }
            state.number += 1
            state.runs[state.number] = Run(frame: frame, task: task)
            return (state.number, frame)
        }
    }

    private static func result(of index: Int, _ makeFrame: MakeFrame) async -> Result<Bitmap, WebImageError> {
        do {
            return .success(try await makeFrame(index))
        } catch let error as WebImageError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(.cancelled())
        } catch {
            let reason = "frame \(index) could not be made: \(error)"
            return .failure(
                WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: reason, underlying: error))
        }
    }

    /// Cancels all frames that are being made: whoever waits for them gets an error. Later ones are made as before.
    public func cancel() {
        let runs = state.withLock { $0.runs.values.map { $0 } }
        for run in runs {
            run.task.cancel()
            run.frame.finish(.failure(.cancelled()))
        }
    }

    /// Does nothing: the frames belong to the app.
    public func preloadAllFrames() {}

    /// A picture of the animation, whose still form is frame 0. Does not block, unlike
    /// ``Image/init(animation:scale:format:)``.
    ///
    /// - Throws: As ``frame(at:)``, without a limit of time.
    public func makeImage(scale: Double = 1) async throws(WebImageError) -> Image {
        let first = try await Self.result(of: 0, makeFrame).get()
        let poster = try schedule.checked(first, at: 0) { first }
        let isAnimated = frameCount > 1
        let metadata = ImageMetadata(frameCount: frameCount, loopCount: isAnimated ? loopCount : 0)
        return Image(bitmap: poster, scale: scale, metadata: metadata, animation: isAnimated ? self : nil)
    }
}
