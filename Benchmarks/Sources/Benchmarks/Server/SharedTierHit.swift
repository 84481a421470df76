import FoundationEssentials
import WebImage
import WebImageMemcached

/// 200 kB out of a memcached on this machine.
struct SharedTierHit: Benchmark {
    static let id = "shared-hit"
    static let what = "A hit of 200 kB in the shared tier, median"

    func run() async throws -> Measurement {
        let port = try WebServer.freePort()
        let memcached = try RunningProgram("memcached", ["-u", "root", "-l", "127.0.0.1", "-p", "\(port)", "-m", "64"])
        try RequestLoad.awaitServer(port)
        let tier = MemcachedTier(servers: [MemcachedServer(host: "127.0.0.1", port: port)])
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await tier.store(content, at: "picture/1")
        var times: [Double] = []
        for _ in 0..<4000 {
            let start = ContinuousClock.now
            let bytes = try await tier.bytes(at: "picture/1")
            times.append((ContinuousClock.now - start).seconds * 1000)
            guard bytes?.count == content.count else { throw BenchmarkError("the tier has lost the entry") }
        }
        times.sort()
        let result = Measurement(
            id: Self.id, what: Self.what, ours: times[2000], unit: "ms", rival: "p99", rivalValue: times[3960],
            ratio: times[2000] / times[3960], ceiling: 0.3, notes: try overHTTP(port))
        withExtendedLifetime(memcached) {}
        return result
    }

    /// The same through the service and its HTTP.
    private func overHTTP(_ memcached: UInt16) throws -> String {
        let folder = try ServedFolder()
        let service = try WebImageService(["--memcached", "127.0.0.1:\(memcached)"])
        let target = "/unsafe/w:390/plain/\(folder.url(.png))"
        let outcome = try RequestLoad(port: service.port, connectionCount: 1, seconds: 5) { _ in target }.run()
        let (median, slow) = (outcome.milliseconds(0.5), outcome.milliseconds(0.99))
        return "over HTTP p50 \((median * 100).rounded() / 100) ms, p99 \((slow * 100).rounded() / 100) ms"
    }
}
