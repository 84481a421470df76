import FoundationEssentials
import WebImage

/// The downloads from the local server, and the number of their connections or streams.
protocol DownloadLoad: Sendable {
    static var id: String { get }
    static var what: String { get }
    static var body: WebServer.Body { get }
    static var count: Int { get }
    static var parallel: Int { get }
    static var usesTLS: Bool { get }
}

enum SmallOverHTTP1: DownloadLoad {
    static let id = "http-20k"
    static let what = "20 KB over HTTP/1.1, six connections"
    static let body = WebServer.Body.small
    static let count = 5000
    static let parallel = 6
    static let usesTLS = false
}

enum SmallOverHTTP2: DownloadLoad {
    static let id = "http2-20k"
    static let what = "20 KB over HTTP/2 with TLS, 32 streams"
    static let body = WebServer.Body.small
    static let count = 5000
    static let parallel = 32
    static let usesTLS = true
}

enum LargeOverHTTP1: DownloadLoad {
    static let id = "http-5m"
    static let what = "5 MB over HTTP/1.1, six connections"
    static let body = WebServer.Body.large
    static let count = 100
    static let parallel = 6
    static let usesTLS = false
}

/// The time of a request with many in parallel, against the `curl` command.
struct DownloadTime<Load: DownloadLoad>: Benchmark {
    static var id: String { Load.id }
    static var what: String { Load.what }

    func run() async throws -> Measurement {
        let rivals = try DownloadRivals<Load>()
        let outcome = try await Turns(count: 5, warmUp: 1).compare {
            try await rivals.ours().elapsed
        } rival: {
            try rivals.curl().elapsed
        }
        return measurement(outcome, unit: "µs", rival: "curl --parallel", goal: 1 / 1.1)
    }
}

/// The processor time of a request, against the `curl` command.
struct DownloadProcessorTime<Load: DownloadLoad>: Benchmark {
    static var id: String { Load.id + "-cpu" }
    static var what: String { Load.what + ", processor time" }

    func run() async throws -> Measurement {
        let rivals = try DownloadRivals<Load>()
        let outcome = try await Turns(count: 5, warmUp: 1).compare {
            try await rivals.ours().processor
        } rival: {
            try rivals.curl().processor
        }
        return measurement(outcome, unit: "µs", rival: "curl --parallel", goal: 1)
    }
}

/// The time of large bodies, against `wrk`, which drops what it receives.
struct LargeDownloads: Benchmark {
    static let id = LargeOverHTTP1.id
    static let what = LargeOverHTTP1.what

    func run() async throws -> Measurement {
        let rivals = try DownloadRivals<LargeOverHTTP1>()
        let outcome = try await Turns(count: 5, warmUp: 1).compare {
            try await rivals.ours().elapsed / 1e3
        } rival: {
            try rivals.wrk() / 1e3
        }
        return measurement(outcome, rival: "wrk", goal: 1 / 0.6)
    }
}

/// The time of a request, against FoundationNetworking's `URLSession`.
struct SessionTime: Benchmark {
    static let id = "http-20k-session"
    static let what = "20 KB over HTTP/1.1, against Foundation"

    func run() async throws -> Measurement {
        let rivals = try DownloadRivals<SmallOverHTTP1>()
        let outcome = try await Turns(count: 3, warmUp: 1).compare {
            try await rivals.ours().elapsed
        } rival: {
            try await rivals.session().elapsed
        }
        return measurement(outcome, unit: "µs", rival: "URLSession", goal: 0.2)
    }
}

/// The processor time of a request, against FoundationNetworking's `URLSession`.
struct SessionProcessorTime: Benchmark {
    static let id = "http-20k-session-cpu"
    static let what = "20 KB over HTTP/1.1, against Foundation, processor time"

    func run() async throws -> Measurement {
        let rivals = try DownloadRivals<SmallOverHTTP1>()
        let outcome = try await Turns(count: 3, warmUp: 1).compare {
            try await rivals.ours().processor
        } rival: {
            try await rivals.session().processor
        }
        return measurement(outcome, unit: "µs", rival: "URLSession", goal: 0.2)
    }
}
