import FoundationEssentials
import WebImage
import WebImageCommandLine

/// One run of `webimage frames`: decodes and writes one frame at a time.
struct FramesRun: Sendable {
    let file: PictureFile
    let conversion: ConversionOptions
    let directory: String
    /// The name of the files, without their numbers.
    let name: String

    /// Reports each frame; a damaged one with its error, since later ones may be intact.
    ///
    /// - Returns: Whether all frames were written.
    /// - Throws: Errors that concern more than one frame, and `WebImageError.Code.cancelled`, between two frames or
    ///   within one, when the flag is raised.
    func write(
        until cancellation: CancellationFlag, _ tell: (FrameRecord) -> Void
    ) throws(WebImageError) -> Bool {
        var options = conversion.decodeOptions
        options.cancellation = cancellation
        options.formatHint = file.hint
        let frames = try PictureFrames(file, options: options)
        var isWhole = true
        for index in 0..<frames.count {
            if cancellation.isCancelled { throw .cancelled() }
            let record = try record(of: frames, at: index, until: cancellation)
            isWhole = isWhole && record.error == nil
            tell(record)
        }
        return isWhole
    }

    private func record(
        of frames: PictureFrames, at index: Int, until cancellation: CancellationFlag
    ) throws(WebImageError) -> FrameRecord {
        var record = FrameRecord(frames, index: index)
        let path = path(at: index)
        let file = OutputFile(path: path, rules: conversion.rules)
        if file.isKept {
            record.take(output: path, byteCount: nil)
            return record
        }
        let bitmap: Bitmap
        do throws(WebImageError) {
            bitmap = try frames.bitmap(at: index)
        } catch {
            // With a single frame, the file as a whole is damaged.
            if error.isCancelled || frames.count == 1 { throw error }
            record.error = ErrorRecord(error)
            return record
        }
        var options = conversion.encodeOptions
        options.cancellation = cancellation
        let data = try ImageCodersManager.shared.encode(Image(bitmap: bitmap), to: format, options: options)
        let isWritten = try file.write(data)
        if isWritten { record.take(bitmap.size.limited(by: options)) }
        record.take(output: path, byteCount: isWritten ? data.count : nil)
        return record
    }

    private var format: ImageFormat { conversion.format ?? .png }

    private func path(at index: Int) -> String {
        "\(directory)\(directory.hasSuffix("/") ? "" : "/")\(fileName(at: index))"
    }

    private func fileName(at index: Int) -> String {
        let number = String(index + 1)
        let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "\(name)-\(digits).\(format.fileExtension ?? "bin")"
    }
}
