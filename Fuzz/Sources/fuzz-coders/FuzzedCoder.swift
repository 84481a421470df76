import Foundation
import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL

/// Drives one coder through all that an app may ask of a file. Only a trap, a sanitizer's report or a hang is a failure:
/// any file may be refused.
struct FuzzedCoder {
    private let coder: any ImageCoder

    /// Read and written by the fuzzer's one thread.
    nonisolated(unsafe) static var current: FuzzedCoder?

    private static let coders: KeyValuePairs<String, any ImageCoder> = [
        "jpeg": JPEGCoder(), "png": PNGCoder(), "gif": GIFCoder(), "webp": WebPCoder(), "avif": AVIFCoder(),
        "heif": HEIFCoder(), "jxl": JXLCoder(),
    ]

    static var names: [String] { coders.map(\.key) }

    static func named(_ name: String) -> FuzzedCoder? {
        coders.first { $0.key == name }.map { FuzzedCoder(coder: $0.value) }
    }

    func run(_ data: Data) {
        _ = try? coder.properties(of: data, isComplete: true)
        _ = try? coder.properties(of: data.prefix(data.count / 2), isComplete: false)
        // The bytes choose among the ways, so that a finding can be repeated.
        let choice = data.reduce(into: UInt8(0)) { $0 = $0 &* 31 &+ $1 }
        decode(data, choice)
        if choice.isMultiple(of: 4) { decodeInPieces(data, choice) }
    }

    private func decode(_ data: Data, _ choice: UInt8) {
        guard let image = try? coder.decode(data, options: options(choice)), let animation = image.animation else {
            return
        }
        let last = animation.frameCount - 1
        for index in [last, 0, min(1, last), last / 2] { _ = try? animation.frame(at: index) }
    }

    private func decodeInPieces(_ data: Data, _ choice: UInt8) {
        guard let coder = coder as? any ProgressiveImageCoder else { return }
        let decoder = coder.makeProgressiveDecoder(options: options(choice))
        let length = max(1, data.count / 7)
        for start in stride(from: 0, to: data.count, by: length) {
            guard (try? decoder.update(Data(data.dropFirst(start).prefix(length)))) != nil else { return }
        }
    }

    private func options(_ choice: UInt8) -> ImageDecodeOptions {
        var options = choice & 2 == 0 ? ImageDecodeOptions() : .storedPixels
        if choice & 8 == 0 { options.thumbnailPixelSize = PixelSize(width: 1 + Int(choice >> 4), height: 9) }
        options.limits.maximumPixelCount = 1 << 18
        options.limits.maximumSourcePixelCount = 1 << 18
        options.limits.maximumFrameCount = 100
        return options
    }
}
