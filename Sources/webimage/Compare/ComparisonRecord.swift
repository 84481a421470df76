import Glibc
import WebImage
import WebImageCommandLine

/// The report of one comparison, as JSON or as text.
struct ComparisonRecord: Encodable, Sendable {
    /// One of the two pictures.
    struct Picture: Encodable, Sendable {
        let url: String
        /// The operand as typed.
        let given: String
    }

    let first: Picture
    let second: Picture
    private(set) var width: Int?
    private(set) var height: Int?
    private(set) var bits: Int?
    /// nil for the same pixels, where it is infinite.
    private(set) var psnr: Double?
    /// nil for small pictures.
    private(set) var ssim: Double?
    private(set) var largestDifference: ChannelDifferences?
    private(set) var differentPixels: Int?
    private(set) var output: String?
    private(set) var bytesWritten: Int?
    /// Whether the output exists and is left as it is.
    private(set) var kept: Bool?
    /// The names of the limits that are not kept.
    var missed: [String]?
    var error: ErrorRecord?
    /// For the first line of the text.
    let names: String

    private enum CodingKeys: CodingKey {
        case first, second, width, height, bits, psnr, ssim, largestDifference, differentPixels, output, bytesWritten
        case kept, missed, error
    }

    init(_ first: Operand, _ second: Operand) {
        self.first = Picture(url: first.address, given: first.given)
        self.second = Picture(url: second.address, given: second.given)
        names = "\(first.name) and \(second.name)"
    }

    mutating func take(_ findings: PictureComparison.Findings) {
        width = findings.size.width
        height = findings.size.height
        bits = findings.bitsPerChannel
        let difference = findings.difference
        psnr = difference.peakSignalToNoise.isFinite ? difference.peakSignalToNoise : nil
        ssim = findings.similarity
        largestDifference = difference.largest
        differentPixels = difference.pixelCount
    }

    /// - Parameter byteCount: nil where the file exists and is left as it is.
    mutating func take(output: String, byteCount: Int?) {
        self.output = output
        bytesWritten = byteCount
        if byteCount == nil { kept = true }
    }

    /// Of pictures that were compared.
    var psnrInWords: String { psnr.map { "\(fixed($0, digits: 2)) dB" } ?? "infinite (the same pixels)" }

    var ssimInWords: String { ssim.map { fixed($0, digits: 5) } ?? "none (it takes 11 pixels a side)" }

    /// The names, then one line for each finding.
    var text: String {
        guard let width, let height, let largestDifference, let differentPixels else { return names }
        let size = PixelSize(width: width, height: height)
        let largest = largestDifference
        let channels = "red \(largest.red), green \(largest.green), blue \(largest.blue), alpha \(largest.alpha)"
        var rows = [
            ("pixel size", "\(size)"), ("bits per channel", "\(bits ?? 8)"), ("PSNR", psnrInWords),
            ("SSIM", ssimInWords),
            ("largest difference", "\(largest.largest) of \(bits == 16 ? 65_535 : 255) (\(channels))"),
            ("pixels that differ", "\(differentPixels) of \(size.area)"),
        ]
        if let output {
            rows.append(("differences", "\(output.printable), \(bytesWritten.map(Quantity.bytes) ?? "kept")"))
        }
        return rows.reduce(into: names) { $0 += "\n  \($1.0.padded(to: 18))  \($1.1)" }
    }

    private func fixed(_ value: Double, digits: Int) -> String {
        let sign = value < 0 ? "-" : ""
        let scale = Int(pow(10, Double(digits)))
        let number = Int((abs(value) * Double(scale)).rounded())
        let fraction = String(number % scale)
        return "\(sign)\(number / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
