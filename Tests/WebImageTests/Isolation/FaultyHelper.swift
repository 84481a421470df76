import Foundation

@testable import WebImage
@testable import WebImageTestDoubles

/// The helper whose workers do what a test asks for (`Tests/FaultyDecoder`).
enum FaultyHelper {
    static let path = Program.executable.deletingLastPathComponent().appending(path: "webimage-faulty-decoder").path

    /// - Parameter spares: nil, so that a worker is forked for each picture.
    static func make(
        buffers: SharedBufferPool = SharedBufferPool(), spares: SpareWorkers? = nil,
        background: BackgroundWork = BackgroundWork()
    ) -> DecoderProcess {
        DecoderProcess(path: path, buffers: buffers, spares: spares, background: background)
    }

    /// Limits that a test waits for: what is over after them ends in moments.
    static var shortLimits: ImageLimits {
        var limits = ImageLimits()
        limits.maximumDecodeDuration = .milliseconds(200)
        return limits
    }
}

extension WorkerSource {
    /// The answer of a new worker.
    func answer(
        to order: String, with descriptors: [OwnedDescriptor] = [], from kind: DecoderKind = .png,
        options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) -> String {
        let worker = try makeWorker(for: kind, limits: options.limits)
        defer { worker.end() }
        return try worker.answer(to: order, with: descriptors, options: options)
    }
}

extension WorkerConnection {
    func answer(
        to order: String, with descriptors: [OwnedDescriptor] = [], options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) -> String {
        try send(WorkerPacket(bytes: Array(order.utf8), descriptors: descriptors))
        return String(decoding: try receive(within: options).bytes, as: UTF8.self)
    }
}
