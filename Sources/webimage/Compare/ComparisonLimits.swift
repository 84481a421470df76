import WebImage
import WebImageCommandLine

/// How much two pictures may differ, for scripts.
struct ComparisonLimits: Sendable {
    var leastPSNR: Double?
    var leastSSIM: Double?
    var largestDifference: Int?

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .value(
                "psnr", .number(0...200), property.appending(path: \.leastPSNR),
                help: "fail where the PSNR is less than N decibels"),
            .value(
                "ssim", .number(0...1), property.appending(path: \.leastSSIM),
                help: "fail where the SSIM is less than N, 0 to 1"),
            .value(
                "threshold", .integer(0...65_535), property.appending(path: \.largestDifference),
                help: "fail where a channel of any pixel differs by more than N, of 255, or of 65535 in\n16 bits"),
        ]
    }

    /// The limits that are not kept, with what to tell of each; none where nothing was measured.
    func missed(by record: ComparisonRecord) -> [(name: String, complaint: String)] {
        guard let largest = record.largestDifference?.largest else { return [] }
        var found: [(String, String)] = []
        if let leastPSNR, let psnr = record.psnr, psnr < leastPSNR {
            found.append(("psnr", "a PSNR of \(record.psnrInWords) is less than --psnr \(leastPSNR)"))
        }
        if let leastSSIM, record.ssim ?? -1 < leastSSIM {
            let isSmall = record.ssim == nil
            let ssim = isSmall ? "no SSIM, which takes 11 pixels a side," : "an SSIM of \(record.ssimInWords)"
            found.append(("ssim", "\(ssim) is less than --ssim \(leastSSIM)"))
        }
        if let largestDifference, largest > largestDifference {
            found.append(("threshold", "a difference of \(largest) is more than --threshold \(largestDifference)"))
        }
        return found
    }
}
