import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageLoading

/// An animation of local files, a frame each, which are read and decoded when they are shown.
///
/// ```swift
/// let frames = (0..<24).map { folder.appending(path: "walk-\($0).png") }
/// let image = try Image(animation: FileSequenceAnimation(frames, frameDuration: .milliseconds(40)))
/// ```
public final class FileSequenceAnimation: AnimatedImageProvider {
    private let files: [URL]
    private let coder: any ImageCoder
    private let options: ImageDecodeOptions
    private let schedule: FrameSchedule
    private let decoded = DecodedFrames()

    /// An animation whose frames all have the same duration.
    ///
    /// - Parameters:
    ///   - files: In playing order, all of one size; of an animation, its first frame is used.
    ///   - loopCount: The number of plays; 0 for endless.
    ///   - coder: By default the coders of loads.
    ///   - options: For each file: ``ImageDecodeOptions/thumbnailPixelSize``, for instance.
    /// - Throws: ``WebImageError/Code/invalidOperation`` without files. No file is read yet.
    public convenience init(
        _ files: [URL], frameDuration: Duration = .milliseconds(100), loopCount: Int = 0,
        coder: any ImageCoder = ImageCodersManager.shared, options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) {
        try self.init(
            files, durations: files.map { _ in frameDuration }, loopCount: loopCount, coder: coder, options: options)
    }

    /// An animation with a duration for each file.
    ///
    /// - Throws: ``WebImageError/Code/invalidOperation`` without files, and for another number of durations.
    public init(
        _ files: [URL], durations: [Duration], loopCount: Int = 0,
        coder: any ImageCoder = ImageCodersManager.shared, options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) {
        schedule = try FrameSchedule(durations, of: files.count, loopCount: loopCount)
        self.files = files
        self.coder = coder
        var options = options.uninterrupted
        options.decodesFirstFrameOnly = true
        self.options = options
    }

    /// The number of files.
    public var frameCount: Int { schedule.count }
    /// The number of plays; 0 for endless.
    public var loopCount: Int { schedule.loopCount }
    /// Whether ``preloadAllFrames()`` has decoded all files.
    public var isAllFramesLoaded: Bool { decoded.areLoaded }

    /// The duration of a frame.
    public func duration(at index: Int) -> Duration { schedule.duration(at: index) }

    /// Reads and decodes a file.
    ///
    /// - Throws: The errors of ``Image/init(contentsOf:coder:options:)``, which have the file's address, and
    ///   ``WebImageError/Code/badImageData`` where its size differs from the first file's.
    public func frame(at index: Int) throws(WebImageError) -> Bitmap {
        try schedule.requireFrame(index)
        if let bitmap = decoded[index] { return bitmap }
        return try decode(index)
    }

    private func decode(_ index: Int) throws(WebImageError) -> Bitmap {
        let frame = try read(index)
        do throws(WebImageError) {
            return try schedule.checked(frame, at: index) { () throws(WebImageError) in try read(0) }
        } catch {
            throw error.url == nil ? error.about(files[index]) : error
        }
    }

    private func read(_ index: Int) throws(WebImageError) -> Bitmap {
        try Image(contentsOf: files[index], coder: coder, options: options).bitmap
    }

    /// Decodes all files, unless one cannot be decoded, or they have more pixels together than
    /// ``ImageLimits/maximumPixelCount``.
    public func preloadAllFrames() {
        decoded.load(count: frameCount, maximumPixelCount: options.limits.maximumPixelCount) {
            index throws(WebImageError) in try decode(index)
        }
    }

    /// Releases the frames of ``preloadAllFrames()``.
    public func unloadAllFrames() { decoded.unload() }
}
