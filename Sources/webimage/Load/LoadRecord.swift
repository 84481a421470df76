import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The report of one picture, as JSON or as a line.
struct LoadRecord: Encodable, Sendable {
    /// The source of the bytes.
    enum Source: String, Encodable { case network, disk, memory, file, data }

    let url: String
    var source: Source?
    var bytes: Int?
    var width: Int?
    var height: Int?
    var format: String?
    var milliseconds: Double?
    var output: String?
    var error: ErrorRecord?

    init(_ operand: Operand) { url = operand.address }

    /// - Parameter isRepetition: Whether the same address was loaded before, and its picture is still in use.
    mutating func take(_ result: LoadResult, isRepetition: Bool) {
        source = isRepetition ? .memory : Source(result)
        bytes = isRepetition ? 0 : result.byteCount
        width = result.image.pixelSize.width
        height = result.image.pixelSize.height
        format = result.image.metadata.format.description
    }

    /// `network    20.5 kB   640×480     12 ms  http://host/a.jpg → a.png`
    func line(name: String) -> String {
        let size = PixelSize(width: width ?? 0, height: height ?? 0).description
        let columns = [
            (source?.rawValue ?? "").padded(to: 7), Quantity.bytes(bytes ?? 0).paddedLeft(to: 9),
            size.paddedLeft(to: 10), Quantity.milliseconds(milliseconds ?? 0).paddedLeft(to: 8), name,
        ]
        return columns.joined(separator: "  ") + (output.map { " → \($0.printable)" } ?? "")
    }
}

extension LoadRecord.Source {
    init(_ result: LoadResult) {
        switch result.cacheType {
        case .disk: self = .disk
        case .memory: self = .memory
        default:
            switch result.url.scheme?.lowercased() {
            case "file": self = .file
            case "data": self = .data
            default: self = .network
            }
        }
    }
}
