import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageIsolation

/// The work of a process that decodes: answers what the app asks about one file, one request after the other, on one thread,
/// with the same coders as an app that decodes by itself.
package final class WorkerService {
    private let channel: any WorkerChannel
    private let coders: (DecoderKind) -> (any ImageCoder)?
    private let output: WorkerOutput
    private var coder: (any ImageCoder)?
    private var file: WorkerFile?
    private var animation: (any AnimatedImageProvider)?
    private var incoming: IncomingPicture?
    private var regions: WorkerRegions?

    package init(
        channel: any WorkerChannel, coders: @escaping (DecoderKind) -> (any ImageCoder)? = { $0.coder }
    ) {
        self.channel = channel
        self.coders = coders
        output = WorkerOutput(channel)
    }

    /// Hands what coders warn of on to the app. In a process that does nothing else: the log has one handler.
    package func forwardWarnings() {
        WebImageLog.setHandler { [output] text in output.warn(text) }
    }

    /// Lets coders make pixels in memory of the app. In a process that does nothing else.
    package func usePixelMemoryOfApp() {
        IsolatedProcess.takePixelMemory { [output] in output.pixelMemory(byteCount: $0) }
    }

    /// Returns at the end of the app, or of its interest.
    package func run() {
        while let packet = channel.receive() {
            guard let request = try? WorkerRequest(messageBytes: packet.bytes) else { return }
            output.begin()
            let reply: WorkerReply?
            do throws(WebImageError) {
                reply = try answer(request, packet.descriptors)
            } catch {
                reply = .failed(error)
            }
            if let reply, !output.answer(reply) { return }
        }
    }

    private func answer(
        _ request: WorkerRequest, _ descriptors: [OwnedDescriptor]
    ) throws(WebImageError) -> WorkerReply? {
        switch request {
        case .open(let kind, let bytes):
            coder = coders(kind)
            // The first answer tells of a file that is missing.
            file = try? WorkerFile(bytes, descriptors)
            return nil
        case .begin(let kind, let options):
            incoming = coders(kind)?.progressiveCoder.map { IncomingPicture($0, options: options) }
            return nil
        case .properties(let isComplete, let options):
            return .properties(
                try usedCoder().properties(
                    of: try usedFile().data(), isComplete: isComplete, options: options.timed()))
        case .decode(let options, let asRows): return try decode(options, asRows: asRows)
        case .animate(let options): return try animate(options)
        case .frame(let index): return try frame(at: index)
        case .update(let bytes): return try update(try WorkerFile(bytes, descriptors).data())
        case .openRegions(let limits, let colorSpace):
            regions = try openRegions(limits, colorSpace)
            return .regions(regions?.message)
        case .readRows, .prepareRegions, .decodeRegions:
            guard let regions else { throw .noFile }
            return try regions.answer(request, descriptors)
        case .buffer, .noBuffer, .goOn: throw .noFile
        }
    }

    private func usedCoder() throws(WebImageError) -> any ImageCoder {
        guard let coder else { throw .noCoder }
        return coder
    }

    private func usedFile() throws(WebImageError) -> WorkerFile {
        guard let file else { throw .noFile }
        return file
    }

    // MARK: - Pictures

    private func decode(_ options: ImageDecodeOptions, asRows: Bool) throws(WebImageError) -> WorkerReply {
        var options = options.timed()
        let cancellation = CancellationFlag()
        let rows = asRows ? SentRows(output, cancellation: cancellation) : nil
        if asRows { options.cancellation = cancellation }
        options.rowReceiver = rows
        let (coder, data) = (try usedCoder(), try usedFile().data())
        guard let rows else { return try reply(try coder.decode(data, options: options)) }
        return try reply(try rows.completing { () throws(WebImageError) in try coder.decode(data, options: options) })
    }

    private func update(_ bytes: Data) throws(WebImageError) -> WorkerReply {
        guard let incoming else { throw .noCoder }
        guard let image = try incoming.update(bytes) else { return .noImage }
        animation = image.animation
        return try reply(image)
    }

    private func reply(_ image: Image) throws(WebImageError) -> WorkerReply {
        .image(ImageMessage(image, pixels: try output.place(image.bitmap)))
    }

    // MARK: - Frames

    private func animate(_ options: ImageDecodeOptions) throws(WebImageError) -> WorkerReply {
        guard let coder = try usedCoder().animatedCoder else { throw .noCoder }
        let animation = try coder.makeAnimation(of: try usedFile().data(), options: options.timed())
        self.animation = animation
        return .animation(AnimationMessage(animation))
    }

    private func frame(at index: Int) throws(WebImageError) -> WorkerReply {
        guard let animation else { throw .noFrame(index, of: 0) }
        let bitmap = try animation.frame(at: index)
        return .frame(BitmapMessage(bitmap, pixels: try output.place(bitmap)))
    }

    // MARK: - Regions

    private func openRegions(
        _ limits: ImageLimits, _ colorSpace: ColorSpace
    ) throws(WebImageError) -> WorkerRegions? {
        let file = try usedCoder().openRegions(of: try usedFile().randomAccess, limits: limits, in: colorSpace)
        return file.map { WorkerRegions($0, output) }
    }
}

/// A picture that arrives, whose pieces have a time limit each.
private struct IncomingPicture {
    private let stopwatch = Stopwatch()
    private let decoder: any ProgressiveImageDecoder

    init(_ coder: any ProgressiveImageCoder, options: ImageDecodeOptions) {
        decoder = coder.makeProgressiveDecoder(options: options.timed(by: stopwatch))
    }

    func update(_ bytes: Data) throws(WebImageError) -> Image? {
        stopwatch.restart()
        return try decoder.update(bytes)
    }
}

extension WebImageError {
    fileprivate static var noCoder: WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "the program that decodes pictures was built without a coder for this one")
    }
}
