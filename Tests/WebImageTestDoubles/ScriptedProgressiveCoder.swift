import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore
import WebImageTesting

/// A progressive coder: a scripted picture's header, a colon, and any number of further bytes, each of which shows more
/// of it. Records the bytes of its decoders, and can block in an update.
final class ScriptedProgressiveCoder: ProgressiveImageCoder {
    private struct State {
        var decoders = 0
        var updates: [String] = []
        var options: [ImageDecodeOptions] = []
        var running = 0
        var mostAtOnce = 0
    }

    private let whole: ScriptedCoder
    private let willUpdate: @Sendable () -> Void
    private let state = Observed(State())

    /// - Parameters:
    ///   - willDecode: Called at the start of each decode of a whole file.
    ///   - willUpdate: Called at the start of each update of a decoder.
    init(
        willDecode: @escaping @Sendable (ImageDecodeOptions) -> Void = { _ in },
        willUpdate: @escaping @Sendable () -> Void = {}
    ) {
        whole = ScriptedCoder(willDecode: willDecode)
        self.willUpdate = willUpdate
    }

    /// How many decoders were made.
    var decoderCount: Int { state.value.decoders }
    /// The bytes of each update, in order.
    var updates: [String] { state.value.updates }
    /// The options of each decoder.
    var options: [ImageDecodeOptions] { state.value.options }
    /// The maximum number of concurrent updates.
    var mostUpdatesAtOnce: Int { state.value.mostAtOnce }

    /// Returns once `count` updates are over.
    func waitForUpdates(_ count: Int) async throws {
        try await state.wait { $0.updates.count >= count && $0.running == 0 }
    }

    static func file(_ width: Int, _ height: Int, body: String = "") -> Data { Data("\(width)x\(height):\(body)".utf8) }

    func canDecodeProgressively(_ data: Data) -> Bool { data.contains(UInt8(ascii: ":")) }

    func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        state.update {
            $0.decoders += 1
            $0.options.append(options)
        }
        return Decoder(coder: self, options: options)
    }

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try whole.decode(data.prefix { $0 != UInt8(ascii: ":") }, options: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { true }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        try whole.encode(image, to: format, options: options)
    }

    private func update(_ bytes: Data, _ all: Data, _ options: ImageDecodeOptions) throws(WebImageError) -> Image {
        state.update { state in
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
        }
        willUpdate()
        defer {
            state.update { state in
                state.running -= 1
                state.updates.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        let image = try decode(all, options: options)
        var metadata = image.metadata
        metadata.isIncremental = true
        return Image(bitmap: image.bitmap, metadata: metadata)
    }

    private final class Decoder: ProgressiveImageDecoder {
        private let coder: ScriptedProgressiveCoder
        private let options: ImageDecodeOptions
        private let bytes = Mutex(Data())

        init(coder: ScriptedProgressiveCoder, options: ImageDecodeOptions) {
            self.coder = coder
            self.options = options
        }

        func update(_ newBytes: Data) throws(WebImageError) -> Image? {
            let all = bytes.withLock { bytes in
                bytes.append(newBytes)
                return bytes
            }
            return try coder.update(newBytes, all, options)
        }
    }
}
