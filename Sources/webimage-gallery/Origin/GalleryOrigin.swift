import FoundationEssentials
import WebImage
import WebImageTesting

/// The web server inside this program, and its pictures.
///
/// The addresses name a host that does not exist: the server's port differs in each run, but the disk cache must find
/// the pictures of the run before.
nonisolated final class GalleryOrigin: Sendable {
    static let host = "gallery.example"
    static let pictureCount = 240

    let origin: LoopbackOrigin
    let pictures: [Picture]
    private let network: NetworkProfile

    /// An address, and the file that its picture is made of.
    struct Picture: Sendable {
        let url: URL
        let sample: SamplePictures.Sample
    }

    var urls: [URL] { pictures.map(\.url) }

    /// - Throws: When no port is available.
    init(_ pictures: SamplePictures, network: NetworkProfile) throws {
        let origin = try LoopbackOrigin()
        let variants = Self.variants(of: pictures.samples)
        for (number, variant) in variants.enumerated() {
            origin.serve(variant.path) { _ in variant.response.map { network.shape($0, number: number) } }
        }
        self.pictures = variants.compactMap { variant in
            Self.url(variant.path).map { Picture(url: $0, sample: variant.sample) }
        }
        self.origin = origin
        self.network = network
    }

    /// Draws and serves the animations, and returns their addresses. Takes a while; not for the main thread.
    func serveAnimations(_ animations: [DrawnAnimation] = DrawnAnimation.all) -> [URL] {
        animations.enumerated().compactMap { number, animation in
            guard let file = animation.file() else { return nil }
            origin.serve(animation.path, network.shape(.picture(file), number: pictures.count + number))
            return Self.url(animation.path)
        }
    }

    private static func url(_ path: String) -> URL? { URL(string: "http://\(host)\(path)") }

    /// Each sample as it is and then, until there are enough, in other sizes and formats.
    private static func variants(of samples: [SamplePictures.Sample]) -> [PictureVariant] {
        guard !samples.isEmpty else { return [] }
        let samples = ShowOrder.arrange(samples)
        return (0..<max(pictureCount, samples.count)).map { number in
            let series = number / samples.count
            return PictureVariant(sample: samples[number % samples.count], series: series)
        }
    }
}

/// Maps the addresses of the built-in pictures to the built-in server.
nonisolated struct GalleryLoader: ImageLoader {
    private let origin: LoopbackOrigin
    private let downloader: WebImageDownloader

    init(origin: LoopbackOrigin) {
        self.origin = origin
        var config = WebImageDownloaderConfig()
        // The user's proxy cannot reach this machine.
        config.proxy = ""
        config.maxConcurrentDownloads = 8
        config.maxConnectionsPerHost = 8
        downloader = WebImageDownloader(config: config)
    }

    func canLoad(_ url: URL) -> Bool { url.host() == GalleryOrigin.host }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        var local = request
        local.url = origin.url(request.url.path(percentEncoded: true))
        return downloader.load(local, receive: receive)
    }
}
