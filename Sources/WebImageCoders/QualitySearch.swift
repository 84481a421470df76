import FoundationEssentials
import WebImageCore

/// Finds the quality of a lossy format at which a file has the requested size.
package enum QualitySearch {
    private static let lowest = 1
    private static let highest = 100

    /// Encodes at the options' quality. With a limit for the file's size, encodes at the best quality that fits, in at
    /// most eight tries; where none fits, at the worst.
    ///
    /// - Parameter encode: Encodes at a quality of 0 to 1. Lower qualities are assumed to make smaller files.
    package static func encode(
        _ options: ImageEncodeOptions, _ encode: (Double) throws(WebImageError) -> Data
    ) throws(WebImageError) -> Data {
        guard let limit = options.maxFileSize else { return try encode(normalized(options.quality)) }
        var best: Data?
        var untried = lowest...highest
        while true {
            try options.cancellation?.check()
            let quality = best == nil && untried.upperBound == highest ? highest : untried.middle
            let data = try encode(Double(quality) / 100)
            if data.count <= limit {
                best = data
                guard quality < untried.upperBound else { return data }
                untried = quality + 1...untried.upperBound
            } else {
                guard quality > untried.lowerBound else { return best ?? data }
                untried = untried.lowerBound...quality - 1
            }
        }
    }

    /// The same for a format with a lossless mode: where the options ask for that, `encode` gets nil.
    package static func encodeOrKeep(
        _ options: ImageEncodeOptions, _ encode: (Double?) throws(WebImageError) -> Data
    ) throws(WebImageError) -> Data {
        guard !options.isLossless else { return try encode(nil) }
        return try Self.encode(options) { quality throws(WebImageError) in try encode(quality) }
    }

    private static func normalized(_ quality: Double) -> Double { quality.isNaN ? 1 : min(max(quality, 0), 1) }
}

extension ClosedRange<Int> {
    fileprivate var middle: Int { lowerBound + (upperBound - lowerBound) / 2 }
}

extension ImageEncodeOptions {
    fileprivate var quality: Double { compressionQuality ?? Self.defaultQuality }
}
