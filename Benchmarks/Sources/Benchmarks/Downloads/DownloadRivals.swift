import FoundationEssentials
import Synchronization
import WebImage

/// Microseconds a request.
struct DownloadCost {
    var elapsed: Double
    var processor: Double
}

/// The same downloads from the same server by several clients.
final class DownloadRivals<Load: DownloadLoad> {
    private let server: WebServer
    private let urls: [URL]
    private let downloader: WebImageDownloader
    /// The addresses as curl reads them.
    private let list: String

    init() throws {
        server = try WebServer()
        urls = server.urls(Load.body, count: Load.count, overTLS: Load.usesTLS)
        var config = WebImageDownloaderConfig()
        config.maxConcurrentDownloads = Load.parallel
        config.caCertificateFile = server.certificatePath
        downloader = WebImageDownloader(config: config)
        list = server.directory.path + "/urls"
        let lines = urls.map { "url=\"\($0.absoluteString)\"\noutput=/dev/null\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: list))
    }

    func ours() async throws -> DownloadCost {
        try await cost {
            let failures = Mutex(0)
            await withCheckedContinuation { continuation in
                let left = Countdown(urls.count)
                for url in urls {
                    _ = downloader.load(ImageLoadRequest(url: url)) { event in
                        guard case .finished(let result) = event else { return }
                        if (try? result.get())?.data.count != Load.body.byteCount { failures.withLock { $0 += 1 } }
                        if left.step() { continuation.resume() }
                    }
                }
            }
            guard failures.withLock({ $0 }) == 0 else { throw BenchmarkError("a download failed") }
        }
    }

    func session() async throws -> DownloadCost {
        let session = FoundationSession(connections: Load.parallel)
        return try await cost { try await session.load(urls, byteCount: Load.body.byteCount) }
    }

    func curl() throws -> DownloadCost {
        let arguments = ["--silent", "--fail", "--parallel", "--parallel-max", "\(Load.parallel)"]
        let cost = try Child.cost(
            "curl", arguments + ["--cacert", server.certificatePath, "--config", list])
        return DownloadCost(elapsed: perRequest(cost.elapsed), processor: perRequest(cost.processor))
    }

    /// Microseconds a request.
    func wrk() throws -> Double {
        let report = server.directory.path + "/wrk"
        let address = urls.first?.absoluteString ?? ""
        let command = "wrk -t 1 -c \(Load.parallel) -d 2 \(address) > \(report)"
        try Child.run("sh", ["-c", command])
        let text = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        guard let rate = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchmarkError("wrk printed no requests a second: \(text)")
        }
        return 1e6 / rate
    }

    private func cost(_ work: () async throws -> Void) async throws -> DownloadCost {
        let start = processorSeconds()
        let elapsed = try await seconds(work)
        return DownloadCost(elapsed: perRequest(elapsed), processor: perRequest(processorSeconds() - start))
    }

    private func perRequest(_ seconds: Double) -> Double { seconds * 1e6 / Double(urls.count) }
}
