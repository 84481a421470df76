import FoundationEssentials
import Synchronization
import WebImage
import WebImageTesting

/// A web server with a picture for each number, and the library's own downloader. Each answer waits for the test.
final class HeldNetwork: Sendable {
    private struct State {
        var gates: [String: Gate] = [:]
        var isOpen = false
    }

    let downloader: WebImageDownloader
    private let origin: LoopbackOrigin
    private let state = Mutex(State())

    /// - Parameter connections: The downloader's limit.
    init(connections: Int) throws {
        var config = WebImageDownloaderConfig()
        config.maxConcurrentDownloads = connections
        config.proxy = ""
        // A load that a test holds back must not time out on a busy machine.
        config.downloadTimeout = .seconds(120)
        config.connectTimeout = .seconds(120)
        downloader = WebImageDownloader(config: config)
        origin = try LoopbackOrigin()
        origin.fallback = { [weak self] in self?.answer(to: $0.path) }
    }

    func url(_ number: Int) -> URL { origin.url("/\(number)") }

    /// The numbers of the pictures that were requested, in the order of arrival.
    var requested: [Int] { origin.requests.compactMap { Int($0.path.dropFirst()) } }

    /// Lets the answers for these pictures go, also later ones.
    func answer(_ numbers: some Sequence<Int>) { for number in numbers { gate("/\(number)").open() } }

    /// Lets all answers go from now on.
    func answerAll() {
        let gates = state.withLock { state in
            state.isOpen = true
            return Array(state.gates.values)
        }
        for gate in gates { gate.open() }
    }

    private func answer(to path: String) -> OriginResponse? {
        guard let number = Int(path.dropFirst()) else { return nil }
        let response = OriginResponse.picture(NumberedPoster.file(number), contentType: "image/png")
        return state.withLock { $0.isOpen } ? response : response.held(by: gate(path))
    }

    private func gate(_ path: String) -> Gate {
        state.withLock { state in
            if let gate = state.gates[path] { return gate }
            let gate = Gate()
            if state.isOpen { gate.open() }
            state.gates[path] = gate
            return gate
        }
    }
}

/// Posters whose files say their number, and a coder that notes which are decoded, in the order of the beginnings.
final class NumberedPoster: ImageCoder {
    /// Decodes wait for it.
    private let gate: Gate
    private let begun = Mutex<[Int]>([])

    init(heldBy gate: Gate) { self.gate = gate }

    static func file(_ number: Int) -> Data { Data([UInt8(number >> 8), UInt8(number & 255), 0, 255]) }

    /// The numbers of the pictures whose decodes have begun, in order.
    var decoded: [Int] { begun.withLock { $0 } }

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try PosterCoder().properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let bytes = [UInt8](data)
        begun.withLock { $0.append(Int(bytes[0]) << 8 + Int(bytes[1])) }
        gate.waitBlocking()
        return try PosterCoder().decode(data, options: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        try PosterCoder().encode(image, to: format, options: options)
    }
}
