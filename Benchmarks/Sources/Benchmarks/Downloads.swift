import FoundationEssentials
import WebImage
import WebImageTesting

/// A thousand files of 20 KB over loopback HTTP/1.1, six connections, against the `curl` command.
struct Downloads: Benchmark {
    static let id = "http-1000"
    static let what = "1,000 × 20 KB over HTTP/1.1, six connections"

    private static let count = 1000
    private static let connections = 6

    func run() async throws -> Measurement {
        let origin = try LoopbackOrigin()
        defer { origin.stop() }
        let body = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let urls = (0..<Self.count).map { index in
            origin.serve("/\(index).jpg", OriginResponse(body: body))
            return origin.url("/\(index).jpg")
        }
        let directory = TemporaryDirectory()
        let list = directory.path + "/urls"
        let lines = urls.map { "url=\"\($0.absoluteString)\"\noutput=/dev/null\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: list))
        var config = WebImageDownloaderConfig()
        config.maxConcurrentDownloads = Self.connections
        let downloader = WebImageDownloader(config: config)

        let outcome = try await Turns(count: 5, warmUp: 1).compare {
            try await seconds { try await load(urls, body.count, downloader) } * 1e3
        } rival: {
            try seconds {
                try Child.run(
                    "curl", ["--silent", "--parallel", "--parallel-max", "\(Self.connections)", "--config", list])
            } * 1e3
        }
        return measurement(outcome, rival: "curl --parallel")
    }

    private func load(_ urls: [URL], _ byteCount: Int, _ downloader: WebImageDownloader) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for url in urls {
                group.addTask {
                    let data = try await downloader.data(for: url)
                    precondition(data.count == byteCount, "a body came short")
                }
            }
            try await group.waitForAll()
        }
    }
}

extension WebImageDownloader {
    fileprivate func data(for url: URL) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            _ = load(ImageLoadRequest(url: url)) { event in
                guard case .finished(let result) = event else { return }
                continuation.resume(with: result.map(\.data).mapError { $0 as any Error })
            }
        }
    }
}
