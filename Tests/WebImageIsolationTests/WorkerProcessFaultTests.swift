import Foundation
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageIsolation

/// A fault of a worker costs one picture: one clear error, and the next worker is unharmed.
@Suite(
    "Faults of a worker's process", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct WorkerProcessFaultTests {
    private static let crashes = [
        ("crash", "SIGSEGV"), ("abort", "has crashed"), ("socket", "SIGSYS"), ("exit 0", "exit 0"),
        ("exit 9", "exit 9"),
    ]

    @Test("a worker that ends gives one permanent error, and the next one works", arguments: crashes)
    func crash(order: String, finding: String) throws {
        let source = FaultyHelper.make()
        let worker = try source.makeWorker(for: .png, limits: ImageLimits())
        for _ in 0..<2 {
            let error = #expect(throws: WebImageError.self) { try worker.answer(to: order) }
            #expect(error?.code == .badImageData && error?.kind == .permanent)
            #expect(error?.reason.contains(finding) == true, "\(error?.reason ?? "")")
        }
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test(
        "no status that a worker without threads chooses is an error for now, which would be tried again",
        arguments: 0...255)
    func chosenStatus(number: Int) throws {
        let kind = number.isMultiple(of: 2) ? DecoderKind.pdf : .png
        let error = #expect(throws: WebImageError.self) { try Self.shared.answer(to: "exit \(number)", from: kind) }
        #expect(error?.kind == .permanent || error?.kind == .policy, "\(error?.reason ?? "")")
    }

    private static let shared = FaultyHelper.make()

    @Test(
        "an endless loop ends at the limit of the processor's time, and sleep at twice of it",
        arguments: ["loop", "sleep"])
    func endless(order: String) throws {
        let source = FaultyHelper.make()
        var options = ImageDecodeOptions()
        options.limits = FaultyHelper.shortLimits
        let error = #expect(throws: WebImageError.self) { try source.answer(to: order, options: options) }
        #expect(error?.code == .limitExceeded && error?.reason.contains("0.2 s") == true)
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test("a worker that says something now and then has one limit of time for its answer")
    func chatter() throws {
        let worker = try FaultyHelper.make().makeWorker(for: .png, limits: FaultyHelper.shortLimits)
        var options = ImageDecodeOptions()
        options.limits = FaultyHelper.shortLimits
        let error = #expect(throws: WebImageError.self) {
            _ = try worker.answer(to: "chatter 200", options: options)
            for _ in 0..<200 { _ = try worker.receive(within: options) }
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a stopped worker ends at the limit of time")
    func stopped() throws {
        let source = FaultyHelper.make()
        let worker = try source.makeWorker(for: .png, limits: FaultyHelper.shortLimits)
        let connection = try #require(worker as? SocketConnection)
        var options = ImageDecodeOptions()
        options.limits = FaultyHelper.shortLimits
        _ = try worker.answer(to: "echo 1", options: options)
        connection.signal(SIGSTOP)
        let error = #expect(throws: WebImageError.self) { try worker.answer(to: "echo 2", options: options) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a worker that is killed from outside is told apart from one that took too long")
    func killed() throws {
        let source = FaultyHelper.make()
        let worker = try source.makeWorker(for: .png, limits: ImageLimits())
        try #require(worker as? SocketConnection).signal(SIGKILL)
        let error = #expect(throws: WebImageError.self) { try worker.answer(to: "echo 2") }
        #expect(error?.code == .limitExceeded && error?.reason.contains("no memory left") == true)
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test("memory beyond the limit ends the worker with an error that names the limit, and up to it is there")
    func memory() throws {
        let source = FaultyHelper.make()
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeMemory = 64 << 20
        let error = #expect(throws: WebImageError.self) {
            try source.answer(to: "allocate \(4 << 30)", options: options)
        }
        #expect(error?.code == .limitExceeded && error?.kind == .policy)
        #expect(error?.reason.contains("67108864 bytes of memory") == true, "\(error as Any)")
        #expect(try source.answer(to: "allocate \(32 << 20)", options: options) == "allocated")
    }

    @Test("a worker that asks for fonts without end gets no more answers, and an error that says so")
    func questions() throws {
        let source = FaultyHelper.make()
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .seconds(20)
        let error = #expect(throws: WebImageError.self) {
            try source.answer(to: "questions", from: .svg, options: options)
        }
        #expect(error?.code == .limitExceeded && error?.kind == .policy)
        #expect(error?.reason.contains("fonts more often") == true, "\(error?.reason ?? "")")
        #expect(try source.answer(to: "echo next", from: .svg) == "next")
    }

    @Test("a worker with more threads than its kind has is ended, with an error that says so, also where it is root")
    func threads() throws {
        let source = FaultyHelper.make()
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .seconds(20)
        do throws(WebImageError) {
            // The kernel has refused them in a user namespace.
            #expect(try source.answer(to: "threads", from: .svg, options: options) == "unknown")
        } catch {
            #expect(error.code == .limitExceeded && error.kind == .policy, "\(error.reason)")
            #expect(error.reason.contains("more threads"), "\(error.reason)")
        }
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test("a worker that closes its connection ends by that, and with no limit of time")
    func closed() throws {
        let source = FaultyHelper.make()
        let error = #expect(throws: WebImageError.self) { try source.answer(to: "close") }
        #expect(error?.code == .badImageData && error?.kind == .permanent)
        #expect(error?.reason.contains("SIGSYS") == true, "\(error as Any)")
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test("a worker keeps its status where the app kills it while it ends: its connection closes before")
    func ending() throws {
        let source = FaultyHelper.make()
        for status in 1...50 {
            let error = #expect(throws: WebImageError.self) { try source.answer(to: "exit \(status)") }
            #expect(error?.reason.contains("(exit \(status))") == true, "\(error as Any)")
        }
    }

    @Test("a cancellation ends the worker")
    func cancelled() async throws {
        let source = FaultyHelper.make()
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        async let error = Self.error(of: source, options)
        flag.cancel()
        #expect(await error?.isCancelled == true)
        #expect(try source.answer(to: "echo next") == "next")
    }

    private static func error(of source: DecoderProcess, _ options: ImageDecodeOptions) -> WebImageError? {
        do throws(WebImageError) { _ = try source.answer(to: "sleep", options: options) } catch { return error }
        return nil
    }

    @Test("a worker that takes no packets ends at the limit of time")
    func full() throws {
        let source = FaultyHelper.make()
        let worker = try source.makeWorker(for: .png, limits: FaultyHelper.shortLimits)
        let error = #expect(throws: WebImageError.self) {
            try worker.send(WorkerPacket(bytes: Array("sleep".utf8)))
            while true { try worker.send(WorkerPacket(bytes: [UInt8](repeating: 0, count: 60_000))) }
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("nothing is left of workers that end in any way: no process, no descriptor, no memory")
    func leftovers() async {
        await #expect(processExitsWith: .success) {
            let source = FaultyHelper.make(buffers: SharedBufferPool(maximumByteCount: 0))
            var options = ImageDecodeOptions()
            options.limits = FaultyHelper.shortLimits
            #expect((try? source.answer(to: "echo 1")) == "1")
            source.settle()
            let before = ProcessHoldings()
            let orders = ["crash", "abort", "exit 3", "loop", "sleep", "close", "socket", "echo 2", "write 65536"]
            for order in orders {
                guard let buffer = try? source.makeBuffer(byteCount: 65536) else { continue }
                _ = try? source.answer(to: order, with: [buffer.file], options: options)
            }
            // Those that end without an error are collected in the background.
            for end in [SocketConnection.end, SocketConnection.dismiss] {
                guard let worker = try? source.makeWorker(for: .png, limits: options.limits),
                    let connection = worker as? SocketConnection
                else { continue }
                end(connection)()
            }
            source.settle()
            #expect(ProcessHoldings() == before)
        }
    }
}
