import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The report of one picture, as JSON or as a line.
struct LoadRecord: Encodable, Sendable {
    /// The source of the bytes.
    enum Source: String, Encodable { case network, disk, memory, file, data, input }

    let url: String
    /// The operand as typed.
    let given: String
    var source: Source?
    /// Read or transferred.
    var bytes: Int?
    /// Whether the server has said that the cached picture is current; nil without the rules of HTTP.
    var validated: Bool?
    /// Whether a picture was shown that is older than its server allows; nil without the rules of HTTP.
    var stale: Bool?
    /// Whether the server had another picture than the one that was shown before it answered.
    var changed: Bool?
    var bytesWritten: Int?
    /// Whether the output exists and is left as it is.
    var kept: Bool?
    var width: Int?
    var height: Int?
    var format: String?
    var milliseconds: Double?
    var transfer: TransferRecord?
    var output: String?
    var error: ErrorRecord?

    init(_ operand: Operand) {
        url = operand.address
        given = operand.given
    }

    /// - Parameters:
    ///   - size: The picture's, before it is changed.
    ///   - isRepetition: Whether the same address was loaded before, and its picture is still in use.
    mutating func take(_ picture: LoadedPicture, size: PixelSize, isRepetition: Bool, followsServer: Bool) {
        let result = picture.result
        source = isRepetition ? .memory : Source(result)
        bytes = isRepetition ? 0 : result.byteCount
        if followsServer {
            validated = !isRepetition && result.isValidated
            stale = isRepetition ? result.isStale : picture.isStale
            changed = isRepetition ? nil : picture.hasChanged
        }
        width = size.width
        height = size.height
        format = result.image.metadata.format.description
        transfer = isRepetition ? nil : result.metrics.map { TransferRecord($0) }
    }

    mutating func take(_ error: WebImageError, isRepetition: Bool) {
        self.error = ErrorRecord(error)
        if !isRepetition, let metrics = error.metrics { transfer = TransferRecord(metrics) }
    }

    mutating func take(_ output: LoadOutput) {
        self.output = output.path
        bytesWritten = output.byteCount
        if output.byteCount == nil { kept = true }
    }

    /// `network    20.5 kB   640×480     12 ms  http://host/a.jpg → a.png, 31.4 kB`
    func line(name: String) -> String {
        let size = PixelSize(width: width ?? 0, height: height ?? 0).description
        let written = [output?.printable, bytesWritten.map(Quantity.bytes)].compactMap(\.self).joined(separator: ", ")
        if kept == true { return "\("kept".padded(to: 7))  \(name) → \(written)" }
        let columns = [
            (source?.rawValue ?? "").padded(to: 7), Quantity.bytes(bytes ?? 0).paddedLeft(to: 9),
            size.paddedLeft(to: 10), Quantity.milliseconds(milliseconds ?? 0).paddedLeft(to: 8), name,
        ]
        return columns.joined(separator: "  ") + (output == nil ? "" : " → \(written)")
    }
}

extension LoadRecord.Source {
    init(_ result: LoadResult) {
        switch result.cacheType {
        case .disk: self = .disk
        case .memory: self = .memory
        default:
            switch result.url.scheme?.lowercased() {
            case "file": self = result.url == StandardInputLoader.url ? .input : .file
            case "data": self = .data
            default: self = .network
            }
        }
    }
}
