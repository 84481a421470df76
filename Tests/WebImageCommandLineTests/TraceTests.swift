import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import WebImageCommandLine
@testable import WebImageTestDoubles
@testable import webimage

@Suite("Command line: trace", .timeLimit(.minutes(5)))
struct TraceTests {
    private static let url = URL(string: "http://host/a.jpg") ?? URL(filePath: "/")
    private static let start = ContinuousClock.now

    private static func event(
        _ stage: LoadStageEvent.Stage, _ phase: LoadStageEvent.Phase, at milliseconds: Int
    ) -> LoadStageEvent {
        let instant = start.advanced(by: .milliseconds(milliseconds))
        return LoadStageEvent(load: 7, url: url, stage: stage, phase: phase, instant: instant)
    }

    private static func end(_ outcome: LoadStageEvent.Outcome) -> LoadStageEvent.Phase {
        .ended(outcome, duration: .zero)
    }

    private static let events = [
        event(.whole, .began, at: 0), event(.disk, .began, at: 0), event(.disk, end(.missed), at: 10),
        event(.load, .began, at: 10), event(.load, .firstByte(after: .milliseconds(30)), at: 40),
        event(.load, end(.done(byteCount: 20_500)), at: 80), event(.decode, .began, at: 80),
        event(.decode, end(.done(byteCount: 4_000_000)), at: 99), event(.deliver, .began, at: 100),
        event(.deliver, end(.done(byteCount: nil)), at: 100), event(.whole, end(.done(byteCount: 20_500)), at: 100),
    ]

    @Test("a waterfall has a line for each stage: its time, duration and result")
    func waterfall() throws {
        let lines = try #require(Waterfall(Self.events)).lines(columns: 60)
        #expect(
            lines == [
                "http://host/a.jpg  in 100 ms",
                "  disk        10 ms  ██                    miss",
                "  load        70 ms    ░░░░░░████████      20.5 kB",
                "  decode      19 ms                  ███▊  4.0 MB of pixels",
                "  deliver      0 µs                     ▏",
            ])
    }

    @Test("a transfer that fails without an answer shows what it waited for")
    func failedTransfer() throws {
        var transfer = TransferMetrics(total: .milliseconds(80))
        (transfer.domainLookup, transfer.connect) = (.milliseconds(20), .milliseconds(20))
        let failure = WebImageError(.connectionLost, stage: .load, kind: .transient, reason: "no")
        var end = Self.event(.load, Self.end(.failed(failure)), at: 80)
        end.transfer = transfer
        let row = try #require(Waterfall([Self.event(.load, .began, at: 0), end])).lines(columns: 80)[1]
        #expect(row.contains("▁▁") && row.contains("▂▂") && row.contains("░░") && !row.contains("█"), "\(row)")
        #expect(row.hasSuffix("failed, look-up 20 ms, connect 20 ms"), "\(row)")
    }

    @Test("a waterfall fits into any terminal, and leaves bars out if they would show nothing")
    func narrow() throws {
        let waterfall = try #require(Waterfall(Self.events))
        for columns in 1...200 {
            #expect(waterfall.lines(columns: columns).dropFirst().allSatisfy { $0.columnCount < max(2, columns) })
        }
        #expect(waterfall.lines(columns: 44)[1] == "  disk        10 ms  miss")
    }

    @Test("every way in which a stage can end has its words")
    func outcomes() throws {
        func words(_ stage: LoadStageEvent.Stage, _ outcome: LoadStageEvent.Outcome) -> String? {
            let events = [Self.event(stage, .began, at: 0), Self.event(stage, Self.end(outcome), at: 1)]
            return Waterfall(events)?.rows.first?.outcome
        }
        let notFound = WebImageError(
            .invalidDownloadStatusCode, stage: .load, kind: .permanent, reason: "no", statusCode: 404)
        let notModified = WebImageError(.cacheNotModified, stage: .load, kind: .policy, reason: "no")
        #expect(words(.memory, .done(byteCount: 1000)) == "hit, 1.0 kB")
        #expect(words(.original, .done(byteCount: nil)) == "hit, in memory")
        #expect(words(.disk, .missed) == "miss")
        #expect(words(.transform, .done(byteCount: 12)) == "12 B of pixels")
        #expect(words(.load, .failed(notFound)) == "failed, HTTP 404")
        #expect(words(.load, .failed(notModified)) == "not modified")
        #expect(words(.decode, .failed(.cancelled())) == "cancelled")
        #expect(words(.decode, .failed(.noURL)) == "failed")
        #expect(words(.store, .done(byteCount: nil)) == "")
    }

    @Test("the trace goes to standard error, and results stay alone on standard output")
    func program() async throws {
        let (origin, program) = (try LoopbackOrigin(), try Program())
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        let addresses = ["/a.jpg", "/none.jpg"].map { origin.url($0).absoluteString }
        let run = try await program.run(["load", "--trace", "--concurrency", "1"] + addresses)
        #expect(run.status == 1 && run.lines.count == 1)
        let stages = run.errorLines.filter { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first }
        #expect(stages == ["disk", "load", "decode", "store", "deliver", "disk", "load", "deliver"])
        #expect(run.errorLines.count { $0.hasPrefix("http://") } == 2)
        #expect(run.errorLines.contains { $0.contains("failed, HTTP 404, http/1.1") })
    }

    @Test("with --json each event is an object on standard error, and ends match beginnings")
    func json() async throws {
        let (origin, program) = (try LoopbackOrigin(), try Program())
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        let run = try await program.run("load", "--trace", "--json", origin.url("/a.jpg").absoluteString)
        #expect(try run.objects().count == 1)
        let events = try run.errorLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let stages = { (phase: String) in
            events.filter { $0["phase"] as? String == phase }.compactMap { $0["stage"] as? String }
        }
        #expect(stages("began") == ["whole", "disk", "load", "decode", "store", "deliver"])
        #expect(stages("ended") == ["disk", "load", "decode", "store", "deliver", "whole"])
        #expect(stages("firstByte") == ["load"])
        let times = events.compactMap { $0["at"] as? Double }
        #expect(times == times.sorted() && times.count == events.count)
        #expect(events.last?["bytes"] as? Int == (try Fixtures.data("photo.jpg")).count)
    }

    @Test("without --trace no stages are printed")
    func quiet() async throws {
        let program = try Program()
        let run = try await program.run("load", Fixtures.path("photo.jpg"))
        #expect(run.status == 0 && run.errors.isEmpty)
    }
}
