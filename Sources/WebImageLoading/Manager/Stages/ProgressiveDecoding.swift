import FoundationEssentials
import Synchronization
import WebImageCore

/// The partial pictures of one load: decodes the bytes so far, one job at a time. Bytes that arrive meanwhile wait and
/// make one more picture, not many; so do bytes that arrive before a picture was shown for long enough.
final class ProgressiveDecoding: Sendable {
    typealias Receiver = @Sendable (Image) -> Void

    private struct State {
        var waiting = Data()
        var isBusy = false
        var isOver = false
        var priority: LoadPriority
        var ticket: JobQueue.Ticket?
    }

    /// The state of the one job that runs.
    private struct Work {
        var decoder: (any ProgressiveImageDecoder)?
        /// Bytes before a decoder is chosen.
        var head = Data()
    }

    private let plan: LoadPlan
    private let coder: any ProgressiveImageCoder
    private let transform: TransformStage
    private let queue: JobQueue
    private let clock: any Clock<Duration>
    private let taskExecutor: (any TaskExecutor)?
    private let partial: Receiver
    private let preview: Receiver
    private let state: Mutex<State>
    private let work = Mutex(Work())
    private let cancellation = CancellationFlag()

    /// A file whose first bytes do not identify a progressive format is ignored after this many bytes.
    private static let longestHead = 64 << 10

    /// nil for a load that wants no partial pictures and no preview, or cannot have them.
    ///
    /// - Parameters:
    ///   - partial: Gets each partial picture.
    ///   - preview: Gets the picture, once, when the bytes so far are enough for the load.
    init?(
        plan: LoadPlan, shared: SharedStages, priority: LoadPriority, partial: @escaping Receiver,
        preview: @escaping Receiver
    ) {
        guard let coder = plan.progressiveCoder else { return nil }
        self.plan = plan
        self.coder = coder
        transform = TransformStage(plan: plan, shared: shared)
        queue = shared.queue
        clock = shared.clock
        taskExecutor = shared.taskExecutor
        state = Mutex(State(priority: priority))
        self.partial = partial
        self.preview = preview
    }

    /// Takes the next bytes. Any thread; returns at once.
    func append(_ bytes: Data) {
        let startsWork = state.withLock { state in
            guard !state.isOver else { return false }
            state.waiting.append(bytes)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if startsWork { submit() }
    }

    /// Makes no more pictures from now on.
    func stop() {
        cancellation.cancel()
        state.withLock { state in
            state.isOver = true
            state.waiting = Data()
        }
    }

    /// Applies to waiting and later jobs.
    func setPriority(_ priority: LoadPriority) {
        let ticket = state.withLock { state in
            state.priority = priority
            return state.ticket
        }
        if let ticket { queue.move(ticket, to: priority) }
    }

    private func submit() {
        let ticket = queue.submit(priority: state.withLock { $0.priority }) { self.run() }
        state.withLock { $0.ticket = ticket }
    }

    private func run() {
        let bytes = state.withLock { state in
            defer { state.waiting = Data() }
            return state.waiting
        }
        var hasShown = false
        do throws(WebImageError) {
            if let image = try image(after: bytes) {
                show(image)
                hasShown = true
            }
        } catch {
            // The decode of the whole file will report the error.
            stop()
        }
        if hasShown, let interval { rest(interval) } else { goOn() }
    }

    /// How long a picture is shown before the next one is made; nil without a limit.
    private var interval: Duration? {
        // A preview is wanted as soon as possible.
        guard plan.showsParts, !plan.mayStopEarly else { return nil }
        let interval = plan.decodeOptions.progressiveInterval
        return interval > .zero ? min(interval, Self.longestInterval) : nil
    }

    private static let longestInterval = Duration.seconds(3600)

    private func rest(_ interval: Duration) {
        Task(executorPreference: taskExecutor) { [weak self, clock] in
            try? await clock.sleep(for: interval)
            self?.goOn()
        }
    }

    private func goOn() {
        let goesOn = state.withLock { state in
            state.isBusy = !state.isOver && !state.waiting.isEmpty
            return state.isBusy
        }
        if goesOn { submit() }
    }

    private func image(after bytes: Data) throws(WebImageError) -> Image? {
        guard !cancellation.isCancelled, let (decoder, news) = take(bytes) else { return nil }
        guard let image = try decoder.update(news), !cancellation.isCancelled else { return nil }
        return image
    }

    private func show(_ image: Image) {
        if plan.mayStopEarly, !image.metadata.isIncremental {
            stop()
            preview(image)
        } else if plan.showsParts,
            let part = plan.transforms(image) ? transform.apply(to: image, cancellation: cancellation) : image
        {
            partial(part)
        }
    }

    /// The decoder and its new bytes; nil while the decoder is not chosen.
    private func take(_ bytes: Data) -> (any ProgressiveImageDecoder, Data)? {
        // Only one job runs at a time: no other thread changes it meanwhile.
        var work = self.work.withLock { $0 }
        if let decoder = work.decoder { return (decoder, bytes) }
        work.head.append(bytes)
        let head = work.head
        if coder.canDecodeProgressively(head) {
            work = Work(decoder: coder.makeProgressiveDecoder(options: options))
        } else if head.count > Self.longestHead {
            stop()
        }
        self.work.withLock { $0 = work }
        return work.decoder.map { ($0, head) }
    }

    private var options: ImageDecodeOptions {
        var options = plan.decodeOptions
        options.formatHint = plan.formatHint
        options.cancellation = cancellation
        options.showsParts = plan.showsParts
        // Partial pictures must be quick. A preview, which may replace the whole, is decoded like the whole.
        options.decodesToHDR = options.decodesToHDR && plan.mayStopEarly
        return options
    }
}

/// A load whose partial pictures end with its cancellation: its loader may end later.
final class ProgressiveLoadTask: CancellableTask {
    private let task: any CancellableTask
    private let partials: ProgressiveDecoding

    init(_ task: any CancellableTask, partials: ProgressiveDecoding) {
        self.task = task
        self.partials = partials
    }

    func cancel() {
        partials.stop()
        task.cancel()
    }

    func setPriority(_ priority: LoadPriority) {
        partials.setPriority(priority)
        task.setPriority(priority)
    }
}
