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

    func write(_ tell: (FrameRecord) -> Void) throws(WebImageError) {
        var options = conversion.decodeOptions
        options.formatHint = file.hint
        let image = try ImageCodersManager.shared.decode(file.data, options: options)
        guard let animation = image.animation else {
            return tell(try write(image.bitmap, at: 0, of: nil))
        }
        for index in 0..<animation.frameCount {
            if Task.isCancelled { throw .cancelled() }
            tell(try write(try animation.frame(at: index), at: index, of: animation))
        }
    }

    private func write(
        _ bitmap: Bitmap, at index: Int, of animation: (any AnimatedImageProvider)?
    ) throws(WebImageError) -> FrameRecord {
        let format = conversion.format ?? .png
        let data = try ImageCodersManager.shared.encode(
            Image(bitmap: bitmap), to: format, options: conversion.encodeOptions)
        let path = "\(directory)\(directory.hasSuffix("/") ? "" : "/")\(fileName(at: index, format: format))"
        try OutputFile(path: path).write(data)
        return FrameRecord(
            output: path, index: index, milliseconds: (animation?.duration(at: index) ?? 0) * 1000,
            width: bitmap.size.width, height: bitmap.size.height, frames: animation?.frameCount ?? 1,
            loopCount: animation?.loopCount ?? 0)
    }

    private func fileName(at index: Int, format: ImageFormat) -> String {
        let number = String(index + 1)
        let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "\(name)-\(digits).\(format.fileExtension ?? "bin")"
    }
}
