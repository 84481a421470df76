import FoundationEssentials
import Synchronization
import WebImageCore

/// The conversation of the app and one worker about one file. One thread at a time. The worker ends with it, or waits
/// for another file of the same origin; it ends if its state is not as it should be.
final class WorkerSession: Sendable {
    private let coder: IsolatedCoder
    private let limits: ImageLimits
    private let connection: any WorkerConnection
    private let state = Mutex(State())

    private struct State {
        var buffers: [SharedBuffer] = []
        /// The bytes that the worker reads.
        var file: OutgoingBytes?
        /// Whether the worker had less than it asked for.
        var wentWithout = false
        /// Why it has got no memory for its last answer.
        var lack: WebImageError?
        /// Whether the worker has ended, or is another session's.
        var isOver = false
    }

    /// Those with which it may share its worker; nil for none.
    private let key: KeptWorkers.Key?
    /// The earlier work of the worker; nil for a fresh one.
    private let earlier: IdleWorker?

    /// - Parameters:
    ///   - answersOften: Whether the worker's time is limited by each answer and not as a whole.
    ///   - origin: Where the file comes from, if a worker may decode others from there.
    ///   - mustBeFresh: Whether the worker must not have decoded another file.
    init(
        _ coder: IsolatedCoder, limits: ImageLimits, answersOften: Bool = false, origin: DecodeOrigin? = nil,
        mustBeFresh: Bool = false
    ) throws(WebImageError) {
        self.coder = coder
        self.limits = limits
        var allowance = limits
        if answersOften { allowance.maximumDecodeDuration = max(limits.maximumDecodeDuration, Self.longestSession) }
        let key = origin.map {
            KeptWorkers.Key(origin: $0, kind: coder.kind, allowance: allowance.workerAllowance)
        }
        let kept = mustBeFresh ? nil : key.flatMap { coder.kept?.take($0, within: limits) }
        if let kept {
            connection = kept.connection
        } else {
            connection = try coder.source.makeWorker(for: coder.kind, limits: allowance)
        }
        earlier = kept
        self.key = key
        let buffers = earlier?.buffers ?? []
        state.withLock { $0.buffers = buffers }
    }

    deinit {
        if leave() { connection.dismiss() }
    }

    /// The processor time of a worker that plays an animation.
    private static let longestSession = Duration.seconds(1_000_000)

    /// The worker has told all: it waits for another file of the same origin where it may, and ends otherwise.
    func finish() {
        guard leave() else { return }
        if let key, let worker = idleWorker, coder.kept?.keep(worker, for: key) == true { return }
        connection.dismiss()
    }

    private var idleWorker: IdleWorker? {
        state.withLock { state in
            guard !state.wentWithout else { return nil }
            var worker = earlier ?? IdleWorker(connection: connection)
            worker.buffers = state.buffers
            worker.pictureCount += 1
            if let buffer = state.file?.buffer, !worker.fileBuffers.contains(where: { $0 === buffer }) {
                worker.fileBuffers.append(buffer)
            }
            return worker
        }
    }

    /// Memory for the file that the worker has from others.
    var fileBuffers: [SharedBuffer] { earlier?.fileBuffers ?? [] }

    /// The pixels of the last reply. Those of a large picture are not copied: the worker ends first, which takes less time.
    func finish(with message: BitmapMessage) throws(WebImageError) -> Bitmap {
        let buffers = state.withLock { $0.buffers }
        if Bitmap.canKeep(message, in: buffers), leave() {
            // Nothing changes its buffers from then on.
            connection.end()
            if let bitmap = Bitmap(keeping: message, in: buffers) { return bitmap }
        }
        let bitmap = try Bitmap(copying: message, in: buffers)
        finish()
        return bitmap
    }

    /// - Returns: Whether the worker was still this session's.
    private func leave() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    // MARK: - Requests

    func open(_ file: OutgoingBytes) throws(WebImageError) {
        state.withLock { $0.file = file }
        try tell(.open(coder.kind, file.sent), with: file.descriptors)
    }

    /// Says something that has no answer.
    func tell(_ request: WorkerRequest, with descriptors: [OwnedDescriptor] = []) throws(WebImageError) {
        try ending { () throws(WebImageError) in
            try connection.send(WorkerPacket(bytes: request.messageBytes, descriptors: descriptors))
        }
    }

    /// The answer to a request.
    ///
    /// - Parameters:
    ///   - rowSize: See ``ReplyReader``.
    ///   - onTheWay: Takes rows, regions and progress, before the worker goes on.
    func ask(
        _ request: WorkerRequest, with descriptors: [OwnedDescriptor] = [], within options: ImageDecodeOptions,
        rowSize: PixelSize? = nil,
        onTheWay: (WorkerReply) throws(WebImageError) -> Void = { _ throws(WebImageError) in }
    ) throws(WebImageError) -> WorkerReply {
        let reply = try ending { () throws(WebImageError) in
            connection.beginAnswer()
            try tell(request, with: descriptors)
            var reader = ReplyReader(to: request, kind: coder.kind, limits: limits, rowSize: rowSize)
            let start = SuspendingClock.now
            while true {
                // Each part of an answer has a time limit, and so has an answer of very many parts.
                if (SuspendingClock.now - start) / Self.longestAnswer > limits.maximumDecodeDuration {
                    throw .tookTooLong(limits)
                }
                let reply = try next(&reader, within: options)
                switch reply {
                case .needsBuffer(let byteCount): try lend(byteCount, for: request)
                case .warning(let text): WorkerWarnings.shared.warn(text, about: state.withLock { $0.file })
                case .progress:
                    try onTheWay(reply)
                    connection.beginAnswer()
                case .rows, .region:
                    try onTheWay(reply)
                    connection.beginAnswer()
                    try tell(.goOn)
                default: return reply
                }
            }
        }
        // A worker that has told of damage works on.
        if case .failed(let error) = reply { throw judged(cause(of: error)) }
        return reply
    }

    /// A worker that lacks memory does not know why.
    private func cause(of error: WebImageError) -> WebImageError {
        let lack = state.withLock { state in
            defer { state.lack = nil }
            return state.lack
        }
        return error.code == .limitExceeded ? lack ?? error : error
    }

    /// In decodes of the longest duration that is allowed: enough for all rows of a huge picture.
    private static let longestAnswer = 20

    private func next(
        _ reader: inout ReplyReader, within options: ImageDecodeOptions
    ) throws(WebImageError) -> WorkerReply {
        while true {
            try options.checkCancellation()
            let sizes = state.withLock { $0.buffers.map(\.bytes.count) }
            let packet = try connection.receive(within: options)
            if let reply = try reader.read(packet.bytes, buffers: sizes) { return reply }
        }
    }

    private func lend(_ byteCount: Int, for request: WorkerRequest) throws(WebImageError) {
        guard request.hasPixels else {
            state.withLock { $0.wentWithout = true }
            return try tell(.noBuffer)
        }
        let buffer: SharedBuffer
        do throws(WebImageError) {
            try checkMemory(for: byteCount)
            buffer = try coder.source.makeBuffer(byteCount: byteCount)
        } catch {
            state.withLock { state in
                state.wentWithout = true
                state.lack = error
            }
            return try tell(.noBuffer)
        }
        state.withLock { $0.buffers.append(buffer) }
        try tell(.buffer(byteCount: buffer.bytes.count), with: [buffer.file])
    }

    /// The memory of the app, which the worker fills, has the limit of the worker's own.
    private func checkMemory(for byteCount: Int) throws(WebImageError) {
        let lentByteCount = state.withLock { $0.buffers.reduce(0) { $0 + $1.bytes.count } }
        guard byteCount <= limits.maximumDecodeMemory - lentByteCount else { throw .tookTooMuchMemory(limits) }
    }

    private func ending<Result>(_ work: () throws(WebImageError) -> Result) throws(WebImageError) -> Result {
        do throws(WebImageError) {
            return try work()
        } catch {
            if leave() { connection.dismiss() }
            throw judged(error)
        }
    }

    /// An earlier picture may have spoilt the worker: then a fresh one is asked.
    private func judged(_ error: WebImageError) -> WebImageError {
        guard earlier != nil, let key, !error.isCancelled else { return error }
        coder.kept?.drop(key)
        var error = error
        error.mayBeOfAnotherPicture = true
        return error
    }

    // MARK: - Pixels

    /// The pixels of a reply of a worker that goes on.
    func bitmap(_ message: BitmapMessage) throws(WebImageError) -> Bitmap {
        try Bitmap(copying: message, in: state.withLock { $0.buffers })
    }

    /// Hands the rows of a reply on.
    func deliver(_ rows: RowsMessage, to receiver: any PixelRowReceiver) {
        let bytes = UnsafeRawBufferPointer(state.withLock { $0.buffers[rows.buffer] }.bytes)
        for row in 0..<rows.count {
            let start = row * rows.bytesPerRow
            receiver.receive(UnsafeRawBufferPointer(rebasing: bytes[start..<start + rows.bytesPerRow]))
        }
    }
}

extension WorkerRequest {
    /// Whether the answer is one of pixels.
    fileprivate var hasPixels: Bool {
        switch self {
        case .decode, .frame, .update, .readRows, .decodeRegions: true
        default: false
        }
    }
}
