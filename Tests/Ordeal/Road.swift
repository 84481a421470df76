import Dispatch
import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore
import WebImageIsolation

/// One of the ways to decode a file's bytes.
enum Road: CaseIterable {
    case whole, deep, thumbnail, pieces, frames, properties
}

/// Decodes files in these ways, and retains what a cache would retain.
final class Rider: Sendable {
    private let manager = ImageCodersManager.shared
    private let options: ImageDecodeOptions
    /// Pictures in a cache are many and small: memory that they hold besides their pixels shows here.
    private let thumbnails = Mutex<[Image]>([])

    init(limits: ImageLimits) {
        var options = ImageDecodeOptions()
        options.limits = limits
        self.options = options
    }

    /// Decodes as apps do: on a queue's thread, whose stack is a sixteenth of the main thread's.
    func takeOnSmallStack(_ data: Data, by road: Road) {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [self] in
            take(data, by: road)
            done.signal()
        }
        done.wait()
    }

    /// Many hostile documents take all the time that they get.
    private func options(for data: Data) -> ImageDecodeOptions {
        guard DecoderKind.svg.recognizes(data) else { return options }
        var options = options
        options.limits.maximumDecodeDuration = .seconds(1)
        return options
    }

    private func take(_ data: Data, by road: Road) {
        var options = options(for: data)
        switch road {
        case .whole: _ = try? manager.decode(data, options: options)
        case .deep:
            options.pixelFormat = .rgba16Premultiplied
            options.decodesToHDR = true
            options.decodesToWideGamut = true
            _ = try? manager.decode(data, options: options)
        case .thumbnail:
            options.thumbnailPixelSize = PixelSize(width: 100, height: 100)
            guard let image = try? manager.decode(data, options: options) else { return }
            thumbnails.withLock { $0.append(image) }
        case .pieces:
            // Small pieces, and pieces with all frames of a small file but not its end.
            for count in [40, 2] { takeInPieces(data, of: max(64, data.count / count)) }
        case .frames: takeFrames(data)
        case .properties:
            _ = try? manager.properties(of: data, isComplete: true)
            for count in [40, 400, data.count / 2] {
                _ = try? manager.properties(of: data.prefix(count), isComplete: false)
            }
        }
    }

    private func takeInPieces(_ data: Data, of byteCount: Int) {
        let options = options(for: data)
        let decoder = manager.makeProgressiveDecoder(options: options)
        var rest = data
        while !rest.isEmpty {
            let part = try? decoder.update(rest.prefix(byteCount))
            rest = rest.dropFirst(byteCount)
            guard let animation = part?.animation else { continue }
            _ = try? animation.frame(at: animation.frameCount - 1)
        }
    }

    private func takeFrames(_ data: Data) {
        let options = options(for: data)
        guard let image = try? manager.decode(data, options: options), let animation = image.animation else { return }
        // Each frame has a time limit of its own; faults show in the first frames and the last one.
        for index in Set((0..<min(20, animation.frameCount)) + [animation.frameCount - 1]).sorted() {
            _ = try? animation.frame(at: index)
        }
    }
}
