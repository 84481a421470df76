import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

extension IsolatedCoder {
    package func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? {
        guard kind.hasRegions else { return nil }
        let opening = RegionOpening(coder: self, file: file, limits: limits, colorSpace: colorSpace)
        let worker = try opening.makeWorker()
        return try opening.describe(worker, CancellationFlag()).map { IsolatedRegionFile(opening, $0) }
    }
}

/// The values with which a worker for a large file begins.
private struct RegionOpening: Sendable {
    let coder: IsolatedCoder
    let file: RandomAccessFile
    let limits: ImageLimits
    let colorSpace: ColorSpace

    /// The time limit is that of each answer.
    func makeWorker() throws(WebImageError) -> WorkerSession {
        let worker = try WorkerSession(coder, limits: limits, answersOften: true)
        try worker.open(try OutgoingBytes(file, from: coder.source))
        return worker
    }

    func describe(
        _ worker: WorkerSession, _ cancellation: CancellationFlag
    ) throws(WebImageError) -> RegionFileMessage? {
        let reply = try worker.ask(.openRegions(limits, colorSpace), within: options(cancellation))
        guard case .regions(let message) = reply else { throw .impossibleReply("another answer") }
        return message
    }

    func options(_ cancellation: CancellationFlag) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.limits = limits
        options.cancellation = cancellation
        return options
    }
}

/// A large picture that workers decode, one for each reading and each group of regions.
private final class IsolatedRegionFile: RegionImageFile {
    private let opening: RegionOpening
    private let message: RegionFileMessage
    private let preparation = Mutex(Preparation())

    private struct Preparation {
        var isComplete = false
        var index: Data?
    }

    init(_ opening: RegionOpening, _ message: RegionFileMessage) {
        self.opening = opening
        self.message = message
    }

    var format: ImageFormat { message.format }
    var storedSize: PixelSize { message.storedSize }
    var orientation: ImageOrientation { message.orientation }
    var colorSpace: ColorSpace { message.colorSpace }
    var baseSide: Int { message.baseSide }
    var rowReduction: Int { message.rowReduction }
    var decodesWholeRows: Bool { message.decodesWholeRows }
    var keptIndex: Data? { preparation.withLock { $0.index } }

    /// A worker that has found the same in the file.
    private func makeWorker(_ cancellation: CancellationFlag) throws(WebImageError) -> WorkerSession {
        let worker = try opening.makeWorker()
        guard try opening.describe(worker, cancellation) == message else {
            throw .damaged(format, "it has changed since it was opened")
        }
        return worker
    }

    func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError) {
        let worker = try makeWorker(cancellation)
        let size = storedSize.reduced(by: reduction)
        let options = opening.options(cancellation)
        _ = try worker.ask(.readRows(reduction: reduction), within: options, rowSize: size) { reply in
            if case .rows(let rows) = reply { worker.deliver(rows, to: receiver) }
        }
    }

    func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool {
        if message.isReady { return true }
        let worker = try makeWorker(cancellation)
        let (hasRegions, index) = try prepare(worker, kept: kept, cancellation, progress: progress)
        preparation.withLock { $0 = Preparation(isComplete: hasRegions, index: index) }
        progress()
        return hasRegions
    }

    private func prepare(
        _ worker: WorkerSession, kept: Data?, _ cancellation: CancellationFlag, progress: @Sendable () -> Void = {}
    ) throws(WebImageError) -> (hasRegions: Bool, index: Data?) {
        var bytes: OutgoingBytes?
        if let kept { bytes = try OutgoingBytes(kept, from: opening.coder.source) }
        let reply = try worker.ask(
            .prepareRegions(kept: bytes?.sent), with: bytes?.descriptors ?? [], within: opening.options(cancellation)
        ) { reply in
            if case .progress = reply { progress() }
        }
        guard case .prepared(let hasRegions, let index) = reply else { throw .impossibleReply("another answer") }
        return (hasRegions, index)
    }

    func isReady(_ region: PixelRegion, reduction: Int) -> Bool {
        message.isReady || preparation.withLock { $0.isComplete }
    }

    func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {
        let worker = try makeWorker(cancellation)
        if !message.isReady { _ = try prepare(worker, kept: keptIndex, cancellation) }
        for start in stride(from: 0, to: regions.count, by: WorkerRequest.maximumRegionCount) {
            let part = Array(regions[start..<min(regions.count, start + WorkerRequest.maximumRegionCount)])
            let request = WorkerRequest.decodeRegions(part, reduction: reduction)
            _ = try worker.ask(request, within: opening.options(cancellation)) { reply throws(WebImageError) in
                guard case .region(let index, let bitmap) = reply else { return }
                each(start + index, try worker.bitmap(bitmap))
            }
        }
    }
}
