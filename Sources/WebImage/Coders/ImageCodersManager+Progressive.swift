import FoundationEssentials
import Synchronization

extension ImageCodersManager {
    /// Whether the coder that takes the bytes can show a part of the picture.
    public func canDecodeProgressively(_ data: Data) -> Bool { progressiveCoder(for: data) != nil }

    /// A decoder that chooses the coder by the first bytes it gets: the one that will decode the whole file, so that the
    /// last partial picture is like the final one. Shows nothing when that coder cannot show a part.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        ChoosingDecoder(options: options, choose: progressiveCoder)
    }

    private func progressiveCoder(for data: Data) -> (any ProgressiveImageCoder)? {
        guard let coder = decoder(for: data) as? any ProgressiveImageCoder else { return nil }
        return coder.canDecodeProgressively(data) ? coder : nil
    }
}

/// Keeps the first bytes until they tell the format, and hands everything to a decoder for it from then on.
private final class ChoosingDecoder: ProgressiveImageDecoder {
    private enum State {
        case choosing(Data)
        case decoding(any ProgressiveImageDecoder)
        case ended
    }

    private let options: ImageDecodeOptions
    /// Counts the time of each piece apart: waiting for the next one costs nobody anything.
    private let stopwatch = Stopwatch()
    private let choose: @Sendable (Data) -> (any ProgressiveImageCoder)?
    private let state = Mutex(State.choosing(Data()))

    init(options: ImageDecodeOptions, choose: @escaping @Sendable (Data) -> (any ProgressiveImageCoder)?) {
        self.options = options
        self.choose = choose
    }

    // Coders are not called under the lock. Nobody changes the state meanwhile: a decoder is used by one job at a time.
    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        switch state.withLock({ $0 }) {
        case .ended: return nil
        case .decoding(let decoder): return try update(decoder, newBytes)
        case .choosing(let begun):
            let head = begun + newBytes
            guard head.count >= ImageFormat.sniffedByteCount else {
                state.withLock { $0 = .choosing(head) }
                return nil
            }
            let decoder = choose(head)?.makeProgressiveDecoder(options: options.timed(by: stopwatch))
            state.withLock { $0 = decoder.map { .decoding($0) } ?? .ended }
            return try decoder.flatMap { decoder throws(WebImageError) in try update(decoder, head) }
        }
    }

    private func update(_ decoder: any ProgressiveImageDecoder, _ bytes: Data) throws(WebImageError) -> Image? {
        stopwatch.restart()
        defer { stopwatch.stop() }
        do throws(WebImageError) {
            return try decoder.update(bytes)
        } catch {
            state.withLock { $0 = .ended }
            throw error
        }
    }
}
