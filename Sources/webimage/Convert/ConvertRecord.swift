import WebImage
import WebImageCommandLine

/// The report of one conversion, as JSON or as a line.
struct ConvertRecord: Encodable, Sendable {
    let url: String
    var output: String?
    var format: String?
    var width: Int?
    var height: Int?
    var frames: Int?
    var bytes: Int?
    /// For a file with a maximum size: whether it is larger.
    var exceedsMaxSize: Bool?
    var milliseconds: Double?
    var error: ErrorRecord?

    init(_ operand: Operand) { url = operand.address }

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
        let size = PixelSize(width: width ?? 0, height: height ?? 0).description
        let columns = [
            (format ?? "").padded(to: 7), size.paddedLeft(to: 10), Quantity.bytes(bytes ?? 0).paddedLeft(to: 9),
            Quantity.milliseconds(milliseconds ?? 0).paddedLeft(to: 8), name,
        ]
        return columns.joined(separator: "  ") + (output.map { " → \($0.printable)" } ?? "")
    }
}
