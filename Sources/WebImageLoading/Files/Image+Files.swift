import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageHTTP

extension Image {
    /// Decodes a file, an animation with all frames. May take long; not for the main thread.
    ///
    /// - Parameters:
    ///   - coder: By default the coders of loads.
    ///   - options: Their ``ImageDecodeOptions/scaleFactor`` is the picture's ``scale``.
    /// - Throws: The errors of ``ImageCoder/decode(_:options:)``.
    public convenience init(
        data: Data, coder: any ImageCoder = ImageCodersManager.shared,
        options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) {
        self.init(copying: try coder.decode(data, options: options))
    }

    /// Reads and decodes a file. Its name determines the scale, `photo@2x.gif` or `photo@1.5x.gif`, unless the options
    /// have one, and the format of bytes that do not identify it. May take long; not for the main thread.
    ///
    /// - Throws: ``WebImageError/Code/fileNotFound``, ``WebImageError/Code/accessDenied`` or another error of the file
    ///   system, and as ``ImageCoder/decode(_:options:)``; the errors contain the file's name.
    public convenience init(
        contentsOf file: URL, coder: any ImageCoder = ImageCodersManager.shared,
        options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) {
        do throws(WebImageError) {
            let key = CacheKey(file.absoluteString)
            var options = options
            options.scaleFactor = options.scaleFactor ?? file.scaleInFileName
            options.formatHint = options.formatHint.resolved(by: key)
            options.address = file
            let reader = try FileReader.open(FilePath(file))
            let flag = options.cancellation ?? CancellationFlag()
            let data = try reader.readAll(limit: options.limits.maximumByteCount, cancellation: flag)
            self.init(copying: try coder.decode(data, options: options))
        } catch {
            throw error.about(file)
        }
    }

    package convenience init(copying image: Image) {
        self.init(
            bitmap: image.bitmap, scale: image.scale, metadata: image.metadata, animation: image.animation,
            decodeOptions: image.decodeOptions)
    }
}
