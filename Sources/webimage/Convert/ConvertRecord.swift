import WebImage
import WebImageCommandLine

/// The report of one conversion, as JSON or as a line.
struct ConvertRecord: Encodable, Sendable {
    let url: String
    /// The operand as typed.
    let given: String
    var output: String?
    var format: String?
    var width: Int?
    var height: Int?
    var frames: Int?
    /// Of the file that is written.
    var bytes: Int?
    var bytesRead: Int?
    /// Whether the output exists and is left as it is.
    var kept: Bool?
    /// For a file with a maximum size: whether it is larger.
    var exceedsMaxSize: Bool?
    var milliseconds: Double?
    var error: ErrorRecord?

    init(_ operand: Operand) {
        url = operand.address
        given = operand.given
    }

    mutating func take(_ result: PictureConversion.Result, milliseconds: Double) {
        format = result.format.description
        width = result.size.width
        height = result.size.height
        frames = result.frameCount
        bytes = result.data.count
        self.milliseconds = milliseconds
    }

    /// `PNG   640×480   20.5 kB   12 ms  a.jpg → a.png`
    func line(name: String) -> String {
        if kept == true { return "\("kept".padded(to: 7))  \(name) → \((output ?? "").printable)" }
        let size = PixelSize(width: width ?? 0, height: height ?? 0).description
        let columns = [
            (format ?? "").padded(to: 7), size.paddedLeft(to: 10), Quantity.bytes(bytes ?? 0).paddedLeft(to: 9),
            Quantity.milliseconds(milliseconds ?? 0).paddedLeft(to: 8), name,
        ]
        return columns.joined(separator: "  ") + (output.map { " → \($0.printable)" } ?? "")
    }
}
