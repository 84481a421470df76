import WebImage
import WebImageCommandLine

/// The report of one picture's file, as JSON or as text.
struct InfoRecord: PictureRecord {
    let url: String
    /// The operand as typed.
    let given: String
    var format: String?
    var width: Int?
    var height: Int?
    var frames: Int?
    var loopCount: Int?
    var frameDurations: [Int]?
    var hasAlpha: Bool?
    var bitsPerChannel: Int?
    var orientation: Int?
    var iccProfile: String?
    var bytes: Int?
    var error: ErrorRecord?

    init(_ operand: Operand) {
        url = operand.address
        given = operand.given
    }

    /// - Parameter formatOfName: The format of the file name, the only thing that distinguishes a camera's RAW file
    ///   from a TIFF.
    mutating func take(_ finding: PropertiesReader.Finding, formatOfName: ImageFormat?) {
        let properties = finding.properties
        let isRaw = properties.format == .tiff && formatOfName == .raw
        format = (isRaw ? .raw : properties.format).description
        width = properties.pixelSize.width
        height = properties.pixelSize.height
        frames = properties.frameCount
        bitsPerChannel = properties.bitsPerChannel
        hasAlpha = properties.hasAlpha
        orientation = properties.orientation.rawValue
        iccProfile = properties.iccProfileName
        bytes = finding.byteCount
        // Pages have neither.
        guard !properties.frameDurations.isEmpty else { return }
        loopCount = properties.loopCount
        frameDurations = properties.frameDurations.map(\.wholeMilliseconds)
    }

    /// The address, then one line for each known property.
    func text(name: String) -> String {
        let rows: [(String, String?)] = [
            ("format", format),
            ("pixel size", width.flatMap { width in height.map { PixelSize(width: width, height: $0).description } }),
            (isPaged ? "pages" : "frames", frames.map { "\($0)" }),
            ("loop count", loopCount.map { $0 == 0 ? "0 (for ever)" : "\($0)" }),
            ("frame durations", frameDurations.map(Self.list)),
            ("alpha", hasAlpha.map { $0 ? "yes" : "no" }),
            ("bits per channel", bitsPerChannel.map { "\($0)" }),
            ("orientation", orientation.map { "\($0)" }),
            ("ICC profile", iccProfile?.printable ?? "none"),
            ("bytes", bytes.map { "\($0)" } ?? "unknown (the server did not say)"),
        ]
        return rows.reduce(into: name) { text, row in
            guard let value = row.1 else { return }
            text += "\n  \(row.0.padded(to: 16))  \(value)"
        }
    }

    private var isPaged: Bool { frames ?? 1 > 1 && frameDurations == nil }

    /// `40 × 100 ms` for equal durations, otherwise a list, shortened to what a person can read.
    private static func list(_ durations: [Int]) -> String {
        guard let least = durations.min(), let most = durations.max() else { return "none" }
        if least == most { return "\(durations.count) × \(least) ms" }
        guard durations.count > 16 else { return durations.map { "\($0)" }.joined(separator: " ") + " ms" }
        let whole = Quantity.milliseconds(Double(durations.reduce(0, +)))
        return "\(least) to \(most) ms, \(whole) in all (each of them with --json)"
    }
}
