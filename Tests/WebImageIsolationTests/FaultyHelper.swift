import Foundation
import WebImageCore

@testable import WebImageIsolation
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

/// A script in the place of the helper, in a folder of its own.
final class HelperScript {
    let folder = FileManager.default.temporaryDirectory.appending(path: "helper-\(UUID().uuidString)")
    var path: String { folder.appending(path: "helper").path }

    /// - Parameter commands: Run in the folder.
    init(_ commands: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = "#!/bin/sh\ncd '\(folder.path)'\n\(commands)\n"
        try Data(text.utf8).write(to: folder.appending(path: "helper"))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

extension WorkerSource {
    /// Memory with a file for a worker.
    func makeFile(of data: Data) throws -> OwnedDescriptor {
        let buffer = try makeBuffer(byteCount: data.count)
        data.withUnsafeBytes { buffer.bytes.copyMemory(from: $0) }
        return buffer.file
    }

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
        beginAnswer()
        try send(WorkerPacket(bytes: Array(order.utf8), descriptors: descriptors))
        return String(decoding: try receive(within: options).bytes, as: UTF8.self)
    }
}
