import Foundation
import Synchronization
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageIsolation

/// A fault of the helper costs the pictures that are being decoded, and no later one.
@Suite(
    "Helper faults", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct HelperFaultTests {
    private static func error(_ work: () throws(WebImageError) -> Void) -> WebImageError? {
        do throws(WebImageError) { try work() } catch { return error }
        return nil
    }

    @Test("a helper that is missing is named, with what to do")
    func missing() {
        let source = DecoderProcess(path: "/nonexistent/webimage-decoder")
        for _ in 0..<2 {
            let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 1") }
            #expect(error?.kind == .policy)
            #expect(error?.reason.contains("/nonexistent/webimage-decoder, does not start: No such file") == true)
            #expect(error?.reason.contains("install webimage-decoder") == true)
            let line = #".product(name: "webimage-decoder", package: "WebImage")"#
            #expect(error?.reason.contains(line) == true)
        }
    }

    @Test("a program that is no helper is named, also where it never answers")
    func stranger() async {
        await #expect(processExitsWith: .success) {
            let before = ProcessHoldings()
            for path in ["/bin/true", "/bin/cat", "/usr/bin/yes"] {
                let source = DecoderProcess(path: path, patience: 100)
                let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 1") }
                #expect(error?.kind == .policy && error?.reason.contains("\(path), is none") == true)
            }
            #expect(ProcessHoldings().processes == before.processes)
        }
    }

    @Test("a program that says nothing is waited for once, and not for each picture")
    func silent() throws {
        let script = try HelperScript("echo >> starts; exec cat <&3")
        let source = DecoderProcess(path: script.path, patience: 2_000)
        for _ in 0..<3 {
            let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 1") }
            #expect(error?.kind == .policy && error?.reason.contains("is none") == true)
        }
        // It may be ended before it has written.
        #expect((try? Data(contentsOf: script.folder.appending(path: "starts")))?.count ?? 0 <= 1)
    }

    @Test("where the system has no threads, pictures whose decoders need some fail for now, and others are decoded")
    func noThreads() throws {
        let script = try HelperScript("WEBIMAGE_FAULT=noThread exec '\(FaultyHelper.path)'")
        let source = DecoderProcess(path: script.path, spares: nil)
        let error = #expect(throws: WebImageError.self) { try source.answer(to: "thread", from: .svg) }
        #expect(error?.kind == .transient && error?.reason.contains("no thread") == true, "\(error?.reason ?? "")")
        #expect(try source.answer(to: "thread", from: .png) == "refused")
        // Its word alone is not enough.
        let exit = #expect(throws: WebImageError.self) { try source.answer(to: "exit 80", from: .png) }
        #expect(exit?.kind == .permanent)
    }

    @Test("where the system has no threads for the helper, pictures fail for now, and nothing is to be installed")
    func noThreadAtStart() throws {
        let script = try HelperScript("WEBIMAGE_FAULT=noThreadAtStart exec '\(FaultyHelper.path)'")
        let source = DecoderProcess(path: script.path, spares: nil)
        for _ in 0..<2 {
            let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 1") }
            #expect(error?.kind == .transient && error?.reason.contains("no process can be started") == true)
        }
    }

    @Test("a helper with a thread that stays starts no worker, and the error says so")
    func keptThread() throws {
        let script = try HelperScript("WEBIMAGE_FAULT=keptThread exec '\(FaultyHelper.path)'")
        let source = DecoderProcess(path: script.path, spares: nil)
        let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 1") }
        #expect(error?.kind == .policy && error?.reason.contains("keeps a thread") == true, "\(error?.reason ?? "")")
    }

    @Test("a helper that is killed takes the pictures with it that are being decoded, and the next one starts another")
    func killed() throws {
        let source = FaultyHelper.make()
        let worker = try source.makeWorker(for: .png, limits: ImageLimits())
        #expect(try worker.answer(to: "echo 1") == "1")
        source.signal(SIGKILL)
        let error = Self.error { () throws(WebImageError) in _ = try worker.answer(to: "sleep") }
        #expect(error?.kind == .transient && error?.reason.contains("has ended") == true, "\(error?.reason ?? "")")
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test("a helper that hangs is replaced")
    func stopped() throws {
        let source = DecoderProcess(path: FaultyHelper.path, patience: 5_000, spares: nil)
        #expect(try source.answer(to: "echo 1") == "1")
        source.signal(SIGSTOP)
        #expect(try source.answer(to: "echo next") == "next")
    }

    @Test("where the helper cannot be started again, the picture fails once, and later ones do so as well")
    func notAgain() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "decoder-\(UUID().uuidString)").path
        try FileManager.default.copyItem(atPath: FaultyHelper.path, toPath: path)
        let source = DecoderProcess(path: path, spares: nil)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try source.answer(to: "echo 1") == "1")
        try FileManager.default.removeItem(atPath: path)
        #expect(try source.answer(to: "echo 2") == "2")
        source.signal(SIGKILL)
        for _ in 0..<2 {
            let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 3") }
            #expect(error?.reason.contains("does not start") == true)
        }
    }

    @Test(
        "a level that this system does not reach, or a format that the helper lacks, is an error and no decode elsewhere"
    )
    func level() throws {
        let unreachable = DecoderIsolation.Level(rawValue: 1 << 31)
        let source = DecoderProcess(path: FaultyHelper.path, requiredLevel: unreachable)
        let error = #expect(throws: WebImageError.self) { try source.answer(to: "echo 1") }
        #expect(error?.kind == .policy && error?.reason.contains("requiredLevel") == true)
    }

    @Test("without a free descriptor a picture fails for now, and the helper stays")
    func noDescriptors() async {
        await #expect(processExitsWith: .success) {
            let source = FaultyHelper.make()
            #expect((try? source.answer(to: "echo 1")) == "1")
            source.settle()
            let before = ProcessHoldings()
            for spare in 0..<5 {
                source.settle()
                var hoard: [Int32] = []
                while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
                    hoard.append(descriptor)
                }
                for _ in 0..<spare { if let last = hoard.popLast() { close(last) } }
                let answer = Result { () throws(WebImageError) in try source.answer(to: "echo 2") }
                let memory = Result { () throws(WebImageError) in try source.makeBuffer(byteCount: 1).bytes.count }
                for descriptor in hoard { close(descriptor) }
                if case .failure(let error) = answer { #expect(error.kind == .transient, "\(error.reason)") }
                // Two ends of a connection, and the worker.
                #expect((try? answer.get()) == (spare >= 3 ? "2" : nil))
                #expect(((try? memory.get()) != nil) == (spare >= 1))
            }
            #expect((try? source.answer(to: "echo 3")) == "3")
            source.settle()
            #expect(ProcessHoldings().processes == before.processes)
        }
    }
}
