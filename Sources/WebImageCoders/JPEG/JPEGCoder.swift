import FoundationEssentials
import WebImageCore

/// JPEG: baseline and progressive, gray, colour and CMYK, by libjpeg-turbo.
///
/// A thumbnail is decoded at a half, a quarter or an eighth of the size, which skips most of the work and never holds
/// the whole picture in memory (except for progressive files), and then resampled exactly.
public struct JPEGCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder; it has no settings and no state.
    package init() {}

    /// Whether `format` is JPEG.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .jpeg }

    /// Whether `format` is JPEG.
    public func decodesRows(of format: ImageFormat) -> Bool { format == .jpeg }

    /// Reads the header; see ``ImageCoder/properties(of:isComplete:)``.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try JPEGDecompressor(bytes: bytes, isComplete: isComplete).readHeader()?.properties
        }
    }

    /// Decodes a whole file; see ``ImageCoder/decode(_:options:)``.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` for a file that lacks part of its picture: the missing part
    ///   is never filled with gray. Other damage is tolerated, as in browsers.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        do throws(WebImageError) {
            return try decodeAsItIs(data, options: options)
        } catch {
            // A receiver has taken rows already.
            guard [.truncatedImageData, .badImageData].contains(error.code), options.rowReceiver == nil,
                let repaired = JPEGRepair.withoutFalseMarkers(data)
            else { throw error }
            return try decodeAsItIs(repaired, options: options)
        }
    }

    private func decodeAsItIs(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let decompressor = try JPEGDecompressor(bytes: bytes, isComplete: true)
            guard let header = try decompressor.readHeader() else { throw .truncated(.jpeg) }
            return try decode(decompressor, header: header, options: options)
        }
    }

    private func decode(
        _ decompressor: JPEGDecompressor, header: JPEGHeader, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        let plan = try JPEGDecodePlan(header, of: decompressor, options: options)
        try decompressor.start()
        guard header.hasMultipleScans else { return plan.makeImage(try plan.readRows(of: decompressor)) }
        let scanCount = try decompressor.readScans(options, until: plan.sufficientPrecision)
            .completeCount
        return plan.makeImage(
            try plan.readPass(of: decompressor, afterScan: scanCount, smoothsBlocks: plan.sufficientPrecision == nil))
    }
}

extension JPEGCoder: ProgressiveImageCoder {
    /// A decoder that shows the arrived rows of a baseline file, with transparency below, and a progressive file as a
    /// whole after each of its scans (for large pictures after some of them). Arithmetic-coded files show when they are
    /// complete.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingJPEG>(options: options)
    }
}

extension ImageCoder where Self == JPEGCoder {
    /// JPEG: baseline, progressive and arithmetic.
    public static var jpeg: JPEGCoder { JPEGCoder() }
}
