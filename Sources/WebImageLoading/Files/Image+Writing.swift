import FoundationEssentials
import WebImageCoders
import WebImageCore

extension Image {
    /// The file of the picture in `format`: an animation has all of its frames, where the format has animations. May take
    /// long; not for the main thread.
    ///
    /// ```swift
    /// let webP = try image.data(as: .webP, quality: 0.8)
    /// ```
    /// - Parameters:
    ///   - quality: Of lossy formats, 0 to 1; nil for that of `options`, by default
    ///     ``ImageEncodeOptions/defaultQuality``. Lossless formats ignore it.
    ///   - options: All else.
    ///   - coder: By default the coders of loads.
    /// - Throws: ``WebImageError/Code/encodeFailed``, also for a format that no coder writes.
    public func data(
        as format: ImageFormat, quality: Double? = nil, options: ImageEncodeOptions = ImageEncodeOptions(),
        coder: any ImageCoder = ImageCodersManager.shared
    ) throws(WebImageError) -> Data {
        var options = options
        if let quality { options.compressionQuality = quality }
        return try coder.encode(self, to: format, options: options)
    }

    /// Writes the picture to a file, whole or not at all, otherwise as ``data(as:quality:options:coder:)``. May take long;
    /// not for the main thread.
    ///
    /// ```swift
    /// try image.write(to: URL(filePath: "portrait.webp"))
    /// ```
    /// A file that exists is replaced and keeps its mode. Where its name is a symbolic link, the link stays.
    /// - Parameters:
    ///   - file: A `file` URL, in a directory that exists.
    ///   - format: nil, the default, for the usual format of the file name's extension.
    /// - Throws: ``WebImageError/Code/encodeFailed``, also where neither `format` nor the extension is that of a format;
    ///   ``WebImageError/Code/invalidURL``; ``WebImageError/Code/accessDenied``, ``WebImageError/Code/fileNotFound``,
    ///   ``WebImageError/Code/diskFull`` or ``WebImageError/Code/fileFailed``, where the file cannot be written. The
    ///   errors contain the file's name.
    public func write(
        to file: URL, as format: ImageFormat? = nil, quality: Double? = nil,
        options: ImageEncodeOptions = ImageEncodeOptions(), coder: any ImageCoder = ImageCodersManager.shared
    ) throws(WebImageError) {
        do throws(WebImageError) {
            let writer = try FileWriter(to: file)
            let format = if let format { format } else { try file.imageFormat }
            try writer.write(data(as: format, quality: quality, options: options, coder: coder))
        } catch {
            throw error.about(file)
        }
    }
}

extension URL {
    /// The format of the file name's extension.
    fileprivate var imageFormat: ImageFormat {
        get throws(WebImageError) {
            if let format = ImageFormat(fileExtension: pathExtension) { return format }
            let reason =
                pathExtension.isEmpty
                ? "the name has no extension that says the format"
                : "no format has the extension \"\(pathExtension.abbreviated(to: 60))\""
            throw WebImageError(
                .encodeFailed, stage: .encode, kind: .permanent,
                reason: "\(reason); use jpg, png, gif or webp, or name the format")
        }
    }
}
