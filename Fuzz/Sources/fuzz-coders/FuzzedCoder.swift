import FoundationEssentials
import WebImage
import WebImageAVIF
import WebImageJXL
import WebImagePDF
import WebImageTIFF

/// Calls one coder with a file in all ways that an app can; any file may be refused.
struct FuzzedCoder: FuzzTarget {
    private let name: String
    /// Calls the coder as an app's loads do, with a time limit.
    private let coders: ImageCodersManager

    private static let coders: KeyValuePairs<String, any ImageCoder> = [
        "jpeg": .jpeg, "png": .png, "gif": .gif, "webp": .webP, "bmp": .bmp,
        "ico": .ico, "avif": .avif, "jxl": .jpegXL, "tiff": .tiff,
        "pdf": .pdf,
    ]

    static var names: [String] { coders.map(\.key) }

    static func named(_ name: String) -> FuzzedCoder? {
        coders.first { $0.key == name }.map {
            FuzzedCoder(name: name, coders: ImageCodersManager(coders: [$0.value]))
        }
    }

    func run(_ bytes: Data) {
        // The bytes choose the way, so that a finding can be reproduced.
        var choice = ByteChoice(bytes)
        let file = name == "png" && choice.next(below: 4) > 0 ? PNGCheckSums.repaired(bytes) : bytes
        readProperties(file, &choice)
        var options = options(&choice)
        decode(file, options)
        options.thumbnailPixelSize = PixelSize(width: 1 + choice.next(below: 20), height: 1 + choice.next(below: 20))
        options.preservesAspectRatio = choice.next(below: 2) == 0
        decode(file, options)
        if choice.next(below: 2) == 0 { options.thumbnailPixelSize = nil }
        decodeInPieces(file, options, &choice)
    }

    private func readProperties(_ file: Data, _ choice: inout ByteChoice) {
        _ = try? coders.properties(of: file, isComplete: true)
        _ = try? coders.properties(of: file.prefix(choice.next(below: file.count + 1)), isComplete: false)
    }

    private func decode(_ file: Data, _ options: ImageDecodeOptions) {
        guard let image = try? coders.decode(file, options: options), let animation = image.animation else { return }
        let last = animation.frameCount - 1
        for index in [last, 0, min(1, last), last / 2] { _ = try? animation.frame(at: index) }
    }

    private func decodeInPieces(_ file: Data, _ options: ImageDecodeOptions, _ choice: inout ByteChoice) {
        let decoder = coders.makeProgressiveDecoder(options: options)
        var rest = file
        while !rest.isEmpty {
            // Some pieces end within a header; most are large, because small ones would mean a thousand pieces per
            // file.
            let piece = rest.prefix(1 + choice.next(below: choice.next(below: 4) == 0 ? 16 : 1 + file.count / 3))
            rest = rest.dropFirst(piece.count)
            guard let partial = try? decoder.update(piece) else { continue }
            _ = try? partial.animation?.frame(at: 0)
        }
    }

    private func options(_ choice: inout ByteChoice) -> ImageDecodeOptions {
        var options = choice.next(below: 2) == 0 ? ImageDecodeOptions() : .storedPixels
        if choice.next(below: 4) == 0 { options.pixelFormat = .rgba16Premultiplied }
        options.decodesToHDR = choice.next(below: 4) == 0
        options.decodesPreview = choice.next(below: 4) == 0
        options.decodesFirstFrameOnly = choice.next(below: 4) == 0
        if choice.next(below: 4) == 0 { options.scaleDownLimitBytes = 1 + choice.next(below: 4000) }
        options.decodesToWideGamut = choice.next(below: 4) == 0
        options.limits.maximumPixelCount = 1 << 18
        options.limits.maximumSourcePixelCount = 1 << 18
        options.limits.maximumFrameCount = 100
        options.limits.maximumScanCount = 50
        options.limits.maximumDecodeDuration = .seconds(2)
        return options
    }
}
