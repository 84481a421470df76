import Foundation
import WebImage
import WebImageCore
import WebImageMemcached
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// A server with a cache of its own, and an origin of its own.
final class TestServer: Sendable {
    let server: PictureServer
    let origin: LoopbackOrigin
    let port: Int
    private let folder: URL

    init(origin: LoopbackOrigin? = nil, _ change: (inout PictureServerSettings) -> Void = { _ in }) throws {
        self.origin = try origin ?? LoopbackOrigin()
        folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
        var settings = PictureServerSettings()
        settings.listen = "127.0.0.1:0"
        settings.cache = folder.path
        settings.allowsPrivate = true
        settings.accessLog = "off"
        change(&settings)
        server = try PictureServer(settings: settings)
        port = Int(server.address.split(separator: ":").last ?? "") ?? 0
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The answer for a source of the origin.
    func answer(
        _ options: String, _ path: String, method: String = "GET", _ headers: [String: String] = [:]
    ) async throws -> HTTPClient.Answer {
        try await answer("/unsafe\(options)/plain/\(origin.url(path).absoluteString)", method: method, headers)
    }

    func answer(
        _ target: String, method: String = "GET", _ headers: [String: String] = [:]
    ) async throws -> HTTPClient.Answer {
        try await HTTPClient.answer(port: port, target, method: method, headers)
    }

    /// The number that `/metrics` tells.
    func metric(_ name: String) async throws -> Int {
        let lines = try await answer("/metrics").text.split(separator: "\n")
        return lines.first { $0.hasPrefix("webimage_\(name) ") }.flatMap { Int($0.split(separator: " ")[1]) } ?? -1
    }
}

enum ServerPicture {
    /// Waves of three colours.
    static func data(_ width: Int, _ height: Int, as format: ImageFormat = .jpeg) throws -> Data {
        let bitmap = try TestPicture.smooth(PixelSize(width: width, height: height))
        return try Image(bitmap: bitmap).data(as: format)
    }

    static func size(_ answer: HTTPClient.Answer) throws -> PixelSize { try Image(data: answer.body).pixelSize }

    static func format(_ answer: HTTPClient.Answer) -> ImageFormat { ImageFormat(sniffing: answer.body) }
}
