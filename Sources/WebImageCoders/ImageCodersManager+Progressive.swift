import FoundationEssentials
import Synchronization
import WebImageCore

extension ImageCodersManager {
    /// Whether the coder that recognises the bytes can decode progressively.
    public func canDecodeProgressively(_ data: Data) -> Bool { progressiveCoder(for: data) != nil }

    /// A decoder that chooses the coder by the first bytes: the same that will decode the whole file, so that the last
    /// partial picture is like the final one. Coders are asked from 32 bytes on, and again with each piece up to 4,096
    /// bytes until one recognises the file. Shows nothing when that coder cannot decode progressively.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        ChoosingDecoder(options: options, choose: choice)
    }

    private func progressiveCoder(for data: Data) -> (any ProgressiveImageCoder)? {
        guard let coder = decoder(for: data)?.progressiveCoder else { return nil }
        return coder.canDecodeProgressively(data) ? coder : nil
    }

    private func choice(for head: Data) -> ChoosingDecoder.Choice {
        if let coder = progressiveCoder(for: head) { return .coder(coder) }
        return decoder(for: head) == nil && head.count < Self.longestHead ? .later : .none
    }
}

/// Collects the first bytes until they identify the format, and then passes everything to a decoder for it.
private final class ChoosingDecoder: ProgressiveImageDecoder {
    private enum State {
        case choosing(Data)
        case decoding(any ProgressiveImageDecoder)
        case ended
    }

    enum Choice {
        case coder(any ProgressiveImageCoder)
        /// A coder may recognise the file with more bytes.
        case later
        case none
    }

    private let options: ImageDecodeOptions
    /// Times each piece separately: waiting for the next one does not count.
    private let stopwatch = Stopwatch()
    private let choose: @Sendable (Data) -> Choice
    private let state = Mutex(State.choosing(Data()))

    init(options: ImageDecodeOptions, choose: @escaping @Sendable (Data) -> Choice) {
        self.options = options
        self.choose = choose
    }

    // Coders are not called under the lock. The state cannot change meanwhile: one job at a time uses a decoder.
    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        switch state.withLock({ $0 }) {
        case .ended: return nil
        case .decoding(let decoder): return try update(decoder, newBytes)
        case .choosing(let begun):
            let head = begun + newBytes
            switch head.count >= ImageFormat.sniffedByteCount ? choose(head) : .later {
            case .later: state.withLock { $0 = .choosing(head) }
            case .none: state.withLock { $0 = .ended }
            case .coder(let coder):
                let decoder = coder.makeProgressiveDecoder(options: options.timed(by: stopwatch))
                state.withLock { $0 = .decoding(decoder) }
                return try update(decoder, head)
            }
            return nil
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
