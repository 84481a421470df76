import Foundation
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

@Suite("Forged addresses", .timeLimit(.minutes(5)))
struct ForgeryTests {
    private static func rules() throws -> SourceRules { try SourceRules(root: "/srv", s3: S3Settings()) }

    private static func loader(allowsPrivate: Bool = false) throws -> ImageLoadersManager {
        ImageLoadersManager(
            loaders: try SourceRules(allowsPrivate: allowsPrivate).loaders(
                maximumByteCount: 1 << 20, timeout: .seconds(20)))
    }

    /// Loads a source as the service does.
    ///
    /// - Returns: Whether bytes have come.
    private static func load(_ source: String, by rules: SourceRules, _ loader: ImageLoadersManager) async -> Bool {
        guard let url = try? rules.url(for: source) else { return false }
        return await load(url, by: loader)
    }

    private static func load(_ url: URL, by loader: ImageLoadersManager) async -> Bool {
        await RecordedLoad(url, by: loader).error == nil
    }

    @Test("no address that names this machine gets to it, by the rules or around them")
    func thisMachine() async throws {
        let canary = try LoopbackOrigin()
        canary.fallback = { _ in .text("secret") }
        let (rules, loader) = (try Self.rules(), try Self.loader())
        // Those for which a name server would be asked are tested on a network of their own.
        for source in ForgedAddresses.numbers(port: canary.port) {
            #expect(await !Self.load(source, by: rules, loader), "\(source)")
            if let url = URL(string: source) { #expect(await !Self.load(url, by: loader), "\(source)") }
        }
        #expect(canary.connectionCount == 0)
    }

    @Test(
        "on a network where every address leads here, none of 300 and no rebound name gets to what is not of the internet",
        .needsOwnNetwork)
    func ownNetwork() async throws {
        if OwnNetwork.isHere { return try await attack() }
        let (status, output, report) = try await OwnNetwork.run(tests: "WebImageServerTests.ForgeryTests/ownNetwork")
        #expect(status == 0, "\(output)")
        let counts = report.split(separator: " ").compactMap { Int($0) }
        try #require(counts.count == 3, "\(output)")
        #expect(counts[0] >= 300 && counts[1] == 0, "\(report)")
        #expect(counts[2] >= 200, "the trap catches those that are let through: \(report)")
    }

    // MARK: On the network of its own

    private static let port = 8080

    private func attack() async throws {
        let names = try NameServer()
        let canaries = try [80, 443, Self.port].map { try CanaryListener(port: $0) }
        let hidden = try CanaryListener(at: "::ffff:127.0.0.1", port: 8081)
        let leaks = { (canaries + [hidden]).flatMap(\.addresses).filter { !ForgedAddresses.publicHosts.contains($0) } }
        let sources =
            ForgedAddresses.numbers(port: Self.port) + ForgedAddresses.lookalikes(port: Self.port)
            + ForgedAddresses.names(port: Self.port) + ForgedAddresses.redirects(port: Self.port)
            + ["http://both-127-0-0-1.test:8081/a", "http://both-10-0-0-1.test:8081/a"]
        #expect(Set(sources).count == sources.count)
        try await loadAll(sources)
        try await rebind()
        #expect(leaks() == [])
        let leakCount = leaks().count
        try await loadAll(sources, allowsPrivate: true)
        withExtendedLifetime(names) {}
        let report = "\(sources.count) \(leakCount) \(leaks().count)"
        if let file = OwnNetwork.report { try Data(report.utf8).write(to: file) }
    }

    /// Loads them as the service does, and around its rules.
    private func loadAll(_ sources: [String], allowsPrivate: Bool = false) async throws {
        let (rules, loader) = (try Self.rules(), try Self.loader(allowsPrivate: allowsPrivate))
        for source in sources {
            let hasCome = await Self.load(source, by: rules, loader)
            var hasComeAround = false
            if let url = URL(string: source), url.hasScheme("http", "https") {
                hasComeAround = await Self.load(url, by: loader)
            }
            // A redirect leads to an address that is not of the internet; others may name one that is, if read so.
            if !allowsPrivate, source.contains("?http") || !source.contains(ForgedAddresses.publicHost) {
                #expect(!hasCome && !hasComeAround, "\(source)")
            }
        }
    }

    /// A name that has an address of the internet when it is looked up first, and this machine's after that.
    private func rebind() async throws {
        var results: [Bool] = []
        for _ in 0..<20 {
            // A downloader of its own, since another one would remember the address.
            results.append(
                await Self.load("http://turn-1.test:\(Self.port)/a", by: try Self.rules(), try Self.loader()))
        }
        #expect(results == (0..<20).map { $0.isMultiple(of: 2) })
        let loader = try Self.loader()
        for number in 2..<12 {
            let name = "turn-\(number).test"
            let source = "http://\(name):\(Self.port)/302?http://\(name):\(Self.port)/307?http://\(name)/a"
            _ = await Self.load(source, by: try Self.rules(), loader)
        }
    }
}
