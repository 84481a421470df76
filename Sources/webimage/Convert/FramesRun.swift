import FoundationEssentials
import WebImage
import WebImageCommandLine

/// One run of `webimage frames`: decodes frame after frame and writes each before the next one is decoded.
struct FramesRun: Sendable {
    let file: PictureFile
    let conversion: ConversionOptions
    let directory: String
    /// Of the files, before their numbers.
    let name: String

    /// - Throws: `WebImageError.Code.cancelled` between two frames, or within one, when the flag is raised.
    func write(until cancellation: CancellationFlag, _ tell: (FrameRecord) -> Void) throws(WebImageError) {
        var options = conversion.decodeOptions
        options.cancellation = cancellation
        options.formatHint = file.hint
        let image = try ImageCodersManager.shared.decode(file.data, options: options)
        guard let animation = image.animation else { return try writePages(image, options, tell) }
        for index in 0..<animation.frameCount {
            if cancellation.isCancelled { throw .cancelled() }
            tell(try write(animation.frame(at: index), at: index, count: animation.frameCount, of: animation))
        }
    }

    private func writePages(
        _ first: Image, _ options: ImageDecodeOptions, _ tell: (FrameRecord) -> Void
    ) throws(WebImageError) {
        let coder = ImageCodersManager.shared
        let isPaged = WritableFormat.paged.contains(first.metadata.format)
        let properties = isPaged ? try coder.properties(of: file.data, isComplete: true, options: options) : nil
        let count = properties?.frameCount ?? 1
        var options = options
        for index in 0..<count {
            if options.cancellation?.isCancelled == true { throw .cancelled() }
            options.pageIndex = index
            let page = index == 0 ? first : try coder.decode(file.data, options: options)
            tell(try write(page.bitmap, at: index, count: count))
        }
    }

    private func write(
        _ bitmap: Bitmap, at index: Int, count: Int, of animation: (any AnimatedImageProvider)? = nil
    ) throws(WebImageError) -> FrameRecord {
        let format = conversion.format ?? .png
        let encodeOptions = conversion.encodeOptions
        let data = try ImageCodersManager.shared.encode(Image(bitmap: bitmap), to: format, options: encodeOptions)
        let size = bitmap.size.limited(by: encodeOptions)
        let path = "\(directory)\(directory.hasSuffix("/") ? "" : "/")\(fileName(at: index, format: format))"
        try OutputFile(path: path).write(data)
        return FrameRecord(
            output: path, index: index, milliseconds: (animation?.duration(at: index) ?? 0) * 1000,
            width: size.width, height: size.height, frames: count,
            loopCount: animation?.loopCount ?? 0)
    }

    private func fileName(at index: Int, format: ImageFormat) -> String {
        let number = String(index + 1)
        let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "\(name)-\(digits).\(format.fileExtension ?? "bin")"
    }
}
