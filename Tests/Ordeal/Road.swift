import Dispatch
import FoundationEssentials
import WebImage

/// One of the ways that a file's bytes go through coders.
enum Road: CaseIterable {
    case whole, deep, thumbnail, pieces, frames, properties

    /// Decodes where apps do: on a thread of a queue, whose stack is a sixteenth of the main thread's.
    func takeOnSmallStack(_ data: Data) {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            take(data)
            done.signal()
        }
        done.wait()
    }

    private func take(_ data: Data) {
        let manager = ImageCodersManager.shared
        switch self {
        case .whole: _ = try? manager.decode(data, options: ImageDecodeOptions())
        case .deep:
            var options = ImageDecodeOptions()
            options.pixelFormat = .rgba16Premultiplied
            options.decodesToHDR = true
            _ = try? manager.decode(data, options: options)
        case .thumbnail:
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = PixelSize(width: 100, height: 100)
            _ = try? manager.decode(data, options: options)
        case .pieces: takeInPieces(data)
        case .frames: takeFrames(data)
        case .properties:
            _ = try? manager.properties(of: data, isComplete: true)
            for count in [40, 400, data.count / 2] {
                _ = try? manager.properties(of: data.prefix(count), isComplete: false)
            }
        }
    }

    private func takeInPieces(_ data: Data) {
        let decoder = ImageCodersManager.shared.makeProgressiveDecoder(options: ImageDecodeOptions())
        let pieceByteCount = max(64, data.count / 40)
        var rest = data
        while !rest.isEmpty {
            let part = try? decoder.update(rest.prefix(pieceByteCount))
            rest = rest.dropFirst(pieceByteCount)
            guard let animation = part?.animation else { continue }
            _ = try? animation.frame(at: animation.frameCount - 1)
        }
    }

    private func takeFrames(_ data: Data) {
        guard let image = try? ImageCodersManager.shared.decode(data, options: ImageDecodeOptions()),
            let animation = image.animation
        else { return }
        // Each frame has a time of its own; what is looked for shows in the first ones and in the last.
        for index in Set((0..<min(20, animation.frameCount)) + [animation.frameCount - 1]).sorted() {
            _ = try? animation.frame(at: index)
        }
    }
}
