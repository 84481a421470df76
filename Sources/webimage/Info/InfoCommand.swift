import WebImage
import WebImageCommandLine

/// `webimage info`: reports a picture's properties without decoding it.
struct InfoCommand: PictureReport {
    static let name = "info"
    static let summary = "Tell what pictures are, reading no more of them than that takes"
    static let synopsis = ["URL|PATH… [OPTION…]", "--from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        PictureList.options(of: \.pictures) + RequestOptions.options(of: \.request) + [
            .maximumFrameCount(\.maximumFrameCount)
        ]
    }
    static let notes = """
        Tells format, pixel size as a person sees it, frames, loop count (0 is for ever) and frame durations of animations,
        alpha, bits per channel, orientation tag (1 to 8), name of the ICC profile, and bytes. Of a camera's RAW file, which
        its name tells from a TIFF, it is the preview's. With - as PATH the picture is read from standard input. The cache is
        not used.

        \(PictureList.notes)

        With --json each line is an object: url, given (the operand as typed), format, width, height, frames, loopCount,
        frameDurations in milliseconds, hasAlpha, bitsPerChannel, orientation, iccProfile, bytes, and for failures error:
        {code, kind, stage, message, status}. Fields that do not apply are left out.
        """

    var report = ReportOptions()
    var request = RequestOptions()
    var pictures = PictureList()
    var maximumFrameCount: Int?

    mutating func prepare(operands: [String]) throws(UsageError) {
        try pictures.take(operands)
    }

    static let concurrency = 6

    func record(of operand: Operand) -> InfoRecord { InfoRecord(operand) }

    func fill(
        _ record: inout InfoRecord, from operand: Operand, on console: Console
    ) async throws(WebImageError) {
        record.take(try await find(operand, ImageLoadersManager.shared), formatOfName: operand.formatOfName)
    }

    private func find(
        _ operand: Operand, _ loader: any ImageLoader
    ) async throws(WebImageError) -> PropertiesReader.Finding {
        var options = ImageDecodeOptions()
        options.formatHint = operand.formatOfName.map { .format($0) } ?? .automatic
        if let maximumFrameCount { options.limits.maximumFrameCount = maximumFrameCount }
        if operand.isStandardInput {
            return try PropertiesReader.read(try await PictureFile.read(operand, request).data, options)
        }
        return try await PropertiesReader.read(try operand.url.get(), request, options, loader: loader)
    }
}
