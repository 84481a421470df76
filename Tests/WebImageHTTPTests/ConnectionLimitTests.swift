import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("The limit of connections", .timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    /// The requests and connections that the origin has seen. A client can send no more requests than have been
    /// answered, and one on each connection.
    private struct Counts {
        var arrived: [String: Int] = [:]
        var answered: [String: Int] = [:]
        /// The most requests under way at a time, together and to one host.
        var most = 0
        var mostToHost = 0

        mutating func arrive(_ host: String) {
            arrived[host, default: 0] += 1
            let underWay = arrived.map { $0.value - answered[$0.key, default: 0] }
            most = max(most, underWay.reduce(0, +))
            mostToHost = max(mostToHost, underWay.max() ?? 0)
        }
    }

    private let origin: LoopbackOrigin
    private let gates = (0..<12).map { _ in Gate() }
    private let counts = Observed(Counts())

    init() throws {
        origin = try LoopbackOrigin()
        origin.fallback = { [gates, counts] request in
            counts.update { $0.arrive(Self.host(of: request)) }
            return OriginResponse.text("x").held(by: gates[Self.number(of: request)])
        }
    }

    private static func host(of request: OriginRequest) -> String {
        String(request.header("host")?.prefix { $0 != ":" } ?? "")
    }

    private static func number(of request: OriginRequest) -> Int { Int(request.path.dropFirst()) ?? 0 }

    private func load(
        _ number: Int, host: String, by downloader: WebImageDownloader, _ priority: LoadPriority = .normal
    ) -> RecordedLoad {
        let url = origin.url("/\(number)", host: host)
        return RecordedLoad(ImageLoadRequest(url: url, priority: priority), by: downloader)
    }

    private func answer(_ request: OriginRequest) {
        counts.update { $0.answered[Self.host(of: request), default: 0] += 1 }
        gates[Self.number(of: request)].open()
    }

    @Test("connections to all hosts together have a limit, beside that of each host")
    func total() async throws {
        let downloader = WebImageDownloader.direct {
            $0.maxConcurrentDownloads = 12
            $0.maxConnectionsPerHost = 2
            $0.maxTotalConnections = 3
        }
        let loads = (0..<12).map { load($0, host: $0 % 2 == 0 ? "127.0.0.1" : "localhost", by: downloader) }
        try await origin.waitForRequests(3)
        try await downloader.settle()
        for count in 0..<12 { answer(try await origin.waitForRequests(count + 1)[count]) }
        for load in loads { #expect(try await load.response.data == Data("x".utf8)) }
        #expect(counts.value.most == 3)
        #expect(counts.value.mostToHost == 2)
    }

    @Test("unused connections make room, and a limit that is taken back is none")
    func unusedConnections() async throws {
        for gate in gates { gate.open() }
        let downloader = WebImageDownloader.direct { $0.maxTotalConnections = 1 }
        for number in 0..<4 {
            _ = try await load(number, host: number % 2 == 0 ? "127.0.0.1" : "localhost", by: downloader).response
        }
        // Each has closed the connection to the other host.
        #expect(origin.connectionCount == 4)
        downloader.config.maxTotalConnections = nil
        for number in 4..<8 {
            _ = try await load(number, host: number % 2 == 0 ? "127.0.0.1" : "localhost", by: downloader).response
        }
        #expect(origin.connectionCount == 5)
    }

    @Test("where connections are short, the highest priority still comes first, but for one that waits already")
    func priorities() async throws {
        let downloader = WebImageDownloader.direct {
            $0.maxConcurrentDownloads = 12
            $0.maxTotalConnections = 1
        }
        var loads = (0..<4).map { load($0, host: "127.0.0.1", by: downloader) }
        try await origin.waitForRequests(1)
        try await downloader.settle()
        loads.append(load(4, host: "127.0.0.1", by: downloader, .veryHigh))
        try await downloader.settle()
        for count in 0..<5 { answer(try await origin.waitForRequests(count + 1)[count]) }
        for load in loads { _ = try await load.response }
        #expect(origin.requests.map(Self.number) == [0, 1, 4, 2, 3])
    }

    @Test("loads that wait for a host which does not answer fail with the one that asks it")
    func silentHost() async throws {
        let mute = try RawOrigin([.stall])
        let downloader = WebImageDownloader.direct {
            $0.maxConnectionsPerHost = 1
            $0.connectTimeout = .seconds(0.3)
        }
        let loads = try (0..<4).map { number in
            RecordedLoad(try parsed("https://127.0.0.1:\(mute.port)/\(number)"), by: downloader)
        }
        for load in loads { #expect(await load.error?.code == .timedOut) }
    }

    @Test("over HTTP/2 one connection is enough for all")
    func multiplexing() async throws {
        let body = sampleBytes(100_000)
        let server = try await HTTP2Server(["large": sampleBytes(40_000_000), "a": body])
        let downloader = WebImageDownloader.direct {
            $0.maxConcurrentDownloads = 20
            $0.maxTotalConnections = 1
        }
        let (started, added) = (Gate(), Gate())
        let large = RecordedLoad(ImageLoadRequest(url: try server.url("large")), by: downloader) { event in
            guard case .progress(let progress) = event, progress.receivedByteCount > 0 else { return }
            started.open()
            // Blocks the transfer thread here, so that most of it comes after the others have begun.
            added.waitBlocking()
        }
        try await started.wait()
        let loads = try (0..<40).map { RecordedLoad(try server.url("a?\($0)"), by: downloader) }
        added.open()
        for load in loads { #expect(try await load.response.data == body) }
        _ = try await large.response
        let log = try await server.stop()
        #expect(log.connectionCount == 1)
        #expect(log.largestStreamCount > 1)
    }
}
