import FoundationEssentials
import WebImage
import WebImageCommandLine

/// A result that `webimage hash` makes of a picture.
enum HashKind: String, CaseIterable, Sendable {
    case thumb, blur, color
}

/// How `webimage hash` makes it.
struct HashRecipe: Sendable {
    var kind = HashKind.thumb
    /// The waves of a BlurHash.
    var components: WaveCounts?
    /// The most colours of a palette.
    var colorCount: Int?

    /// The most pixels of a side that any hash needs.
    private static let sourceSide = 100

    /// - Throws: The errors of the coder and of the hash; ``WebImageError/Code/cancelled`` when `cancellation` is raised.
    func finding(in file: PictureFile, _ cancellation: CancellationFlag) throws(WebImageError) -> HashFinding {
        var options = ImageDecodeOptions()
        options.formatHint = file.hint
        options.cancellation = cancellation
        options.decodesFirstFrameOnly = true
        options.thumbnailPixelSize = PixelSize(width: Self.sourceSide, height: Self.sourceSide)
        let image = try ImageCodersManager.shared.decode(file.data, options: options)
        switch kind {
        case .thumb: return .text(try ThumbHash(of: image.bitmap).base64)
        case .blur:
            let components = components ?? WaveCounts(columns: 4, rows: 3)
            return .text(try BlurHash(of: image.bitmap, columns: components.columns, rows: components.rows).string)
        case .color:
            guard let average = image.averageColor else { throw .noMemory }
            return .colors(average: average, palette: image.dominantColors(count: colorCount ?? 5))
        }
    }
}

/// The result of a picture.
enum HashFinding: Sendable {
    /// ThumbHash in Base64, or BlurHash.
    case text(String)
    case colors(average: RGBAColor, palette: [DominantColor])
}

extension WebImageError {
    fileprivate static let noMemory = WebImageError(
        .limitExceeded, stage: .decode, kind: .policy, reason: "there is no memory for the picture's colours")
}
