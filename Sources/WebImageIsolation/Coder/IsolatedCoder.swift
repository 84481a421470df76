import FoundationEssentials
import WebImageCoders
import WebImageCore

/// Decodes pictures of one kind in processes of their own: a picture costs itself at most, whatever it does to its decoder.
///
/// The results are those of the kind's coder in this process. Nothing is encoded: what the app has in memory is no danger.
package struct IsolatedCoder: ImageCoder {
    package let kind: DecoderKind
    let source: any WorkerSource
    /// nil where each picture has a worker of its own.
    let kept: KeptWorkers?

    package init(kind: DecoderKind, source: any WorkerSource, kept: KeptWorkers? = nil) {
        self.kind = kind
        self.source = source
        self.kept = kept
    }

    package func canDecode(_ data: Data) -> Bool { kind.recognizes(data) }

    package func canDecode(_ format: ImageFormat) -> Bool { kind.formats.contains(format) }

    package func decodesRows(of format: ImageFormat) -> Bool { kind.decodesRows && canDecode(format) }

    package func isUninterruptible(for data: Data) -> Bool { kind.drawsDocuments && canDecode(data) }

    package var progressiveCoder: (any ProgressiveImageCoder)? { kind.isProgressive ? self : nil }

    package var animatedCoder: (any AnimatedImageCoder)? { kind.isAnimated ? self : nil }

    package func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    package func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        let reply = try Self.retrying { mustBeFresh throws(WebImageError) in
            let worker = try makeWorker(for: data, options, mustBeFresh: mustBeFresh)
            let reply = try worker.ask(.properties(isComplete: isComplete, options), within: options)
            worker.finish()
            return reply
        }
        guard case .properties(let properties) = reply else { throw .impossibleReply("another answer") }
        return properties
    }

    package func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        // Rows that have been handed on cannot be taken back.
        guard options.rowReceiver == nil else { return try decodeOnce(data, options: options, mustBeFresh: false) }
        return try Self.retrying { mustBeFresh throws(WebImageError) in
            try decodeOnce(data, options: options, mustBeFresh: mustBeFresh)
        }
    }

    private func decodeOnce(
        _ data: Data, options: ImageDecodeOptions, mustBeFresh: Bool
    ) throws(WebImageError) -> Image {
        let worker = try makeWorker(for: data, options, mustBeFresh: mustBeFresh)
        let receiver = options.rowReceiver
        let request = WorkerRequest.decode(options, asRows: receiver != nil)
        let reply = try worker.ask(request, within: options) { reply in
            if case .rows(let rows) = reply, let receiver { worker.deliver(rows, to: receiver) }
        }
        guard case .image(let message) = reply else { throw .impossibleReply("another answer") }
        let bitmap = try worker.finish(with: message.bitmap)
        let animation = message.animation.map { animation in
            self.animation(
                animation, of: data, canvas: message.metadata.originalPixelSize ?? bitmap.size,
                frameSize: FrameSize(bitmap.size), options: options)
        }
        return Image(bitmap, message, animation: animation, options: options)
    }

    /// A worker that has got the file.
    private func makeWorker(
        for data: Data, _ options: ImageDecodeOptions, mustBeFresh: Bool
    ) throws(WebImageError) -> WorkerSession {
        try options.checkCancellation()
        // Rows that have been handed on cannot be asked for again where the worker turns out to be spoilt.
        let mayShare = kept != nil && options.rowReceiver == nil
        let origin = mayShare ? options.address.flatMap { DecodeOrigin($0) } : nil
        let worker = try WorkerSession(self, limits: options.limits, origin: origin, mustBeFresh: mustBeFresh)
        try worker.open(try OutgoingBytes(data, from: source, reusing: worker.fileBuffers))
        return worker
    }
}

extension Image {
    /// The picture that a worker has described.
    ///
    /// - Parameter options: Those of the decode.
    convenience init(
        _ bitmap: Bitmap, _ message: ImageMessage, animation: (any AnimatedImageProvider)?, options: ImageDecodeOptions
    ) {
        self.init(
            bitmap: bitmap, scale: options.scaleFactor ?? 1, metadata: message.metadata, animation: animation,
            decodeOptions: options)
    }
}
