import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// WebM and MP4 by GStreamer, as animations: silent, endless, with the first frame as their still form. The codecs are
/// those of GStreamer's plugins.
///
/// ```swift
/// ImageCodersManager.shared.add(.video)
/// ```
public struct VideoCoder: ImageCoder, BundledCoder, Hashable, AnimatedImageCoder {
    /// A coder without state.
    package init() {}

    /// Whether `format` is WebM or MP4.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .webM || format == .mp4 }

    /// Size, orientation and the durations of the frames, which only the whole file has.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        guard isComplete else { return nil }
        return try VideoFile(data, options).header(readsTimes: true, options).properties
    }

    /// Decodes the first frame; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let file = try VideoFile(data, options)
        let header = try file.header(readsTimes: !options.decodesFirstFrameOnly, options)
        let geometry = header.geometry(options)
        let poster = try VideoFrames(file, header, geometry).nextFrame(options: options)
        let isAnimated = header.frames.count > 1
        return geometry.makeImage(
            poster, of: file.format, frameCount: header.frames.count,
            animation: isAnimated ? Self.animation(of: file, header, geometry, options) : nil, options: options)
    }

    /// The frames of the video.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        var options = options
        options.decodesFirstFrameOnly = false
        let file = try VideoFile(data, options)
        let header = try file.header(readsTimes: true, options)
        return Self.animation(of: file, header, header.geometry(options), options)
    }

    private static func animation(
        of file: VideoFile, _ header: VideoHeader, _ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions
    ) -> SequentialAnimation {
        SequentialAnimation(
            durations: header.frames.durations, loopCount: 0, data: file.data,
            decoderByteCount: header.size.area * VideoFrames.bytesPerPixel, options: options
        ) { () throws(WebImageError) in
            try VideoFrames(file, header, geometry)
        }
    }
}

extension ImageCoder where Self == VideoCoder {
    /// WebM and MP4 by GStreamer, as silent animations that repeat; add it to ``WebImage/ImageCodersManager``.
    public static var video: VideoCoder { VideoCoder() }
}
