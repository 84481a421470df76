import Foundation
import Testing
import WebImageCore
@testable import WebImageIsolation
import WebImageTestSupport

@testable import WebImageTestDoubles

/// A fault of workers or of their helper at any moment costs the pictures that it happens to.
///
/// `WEBIMAGE_SEED=17 swift test --filter RandomFault` runs other faults.
@Suite(
    "Random faults", .timeLimit(.minutes(10)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct RandomFaultTests {
    private static var seed: UInt64 { ProcessInfo.processInfo.environment["WEBIMAGE_SEED"].flatMap { UInt64($0) } ?? 1 }

    private static func faults(_ count: Int) -> [RandomFault] {
        var random = SplitMix(state: seed)
        return (0..<count).map { RandomFault($0, using: &random) }
    }

    @Test(
        "at a thousand random instants under load, each decode ends once, all pictures without a fault are right, and nothing is left: no process, no descriptor, no memory"
    )
    func thousand() async {
        await #expect(processExitsWith: .success) { recordingErrors(RandomFaultTests.thousandInChild) }
    }

    fileprivate static func thousandInChild() throws {
        // So many that all of them are soon used up.
        var limit = rlimit(rlim_cur: 256, rlim_max: 256)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let run = try FaultRun()
        // Threads have descriptors of their own, which the first ones make.
        #expect(run.run(faults(40)) == 40)
        let before = ProcessHoldings()
        #expect(run.run(faults(1000)) == 1000 && run.failureCount > 100)
        let after = ProcessHoldings()
        // Without a text, the test's own process says only that something failed.
        #expect(after == before, "\(before), then \(after)")
    }

    @Test("a million messages end their worker, and so does a message without an end", arguments: ["flood", "parts"])
    func flood(name: String) throws {
        let source = FaultyHelper.make()
        let file = try Data(contentsOf: URL(filePath: Fixtures.path("gray.jpg")))
        let coder = IsolatedCoder(kind: .jpeg, source: source)
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .milliseconds(500)
        let error = #expect(throws: WebImageError.self) {
            try coder.decode(file + Data("\nfault: \(name) 2".utf8), options: options)
        }
        #expect(error?.code == .badImageData || error?.code == .limitExceeded, "\(String(describing: error))")
        #expect(try coder.decode(file, options: ImageDecodeOptions()).bitmap.bytes.isEmpty == false)
    }

    @Test("a worker cannot change a file of the system that it reads")
    func systemFile() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)")
        let content = Data(repeating: 1, count: 8192)
        try content.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let source = FaultyHelper.make()
        let sent = try OutgoingBytes(RandomAccessFile(path: Array(path.path.utf8) + [0]), from: source)
        #expect(try source.answer(to: "tamper 8192", with: sent.descriptors) == "0")
        #expect(try Data(contentsOf: path) == content)
    }

    @Test("a worker can change its own copy of a picture, not that of the next worker, nor the size of shared memory")
    func copies() throws {
        let source = FaultyHelper.make()
        let content = Data(repeating: 1, count: 100_000)
        let sent = try OutgoingBytes(content, from: source)
        #expect(try source.answer(to: "tamper 100000", with: sent.descriptors) == "3")
        let next = try OutgoingBytes(content, from: source)
        #expect(try source.answer(to: "read 100000", with: next.descriptors) == "100000")
        let buffer = try #require(sent.buffer)
        let error = #expect(throws: WebImageError.self) { try source.answer(to: "shrink", with: [buffer.file]) }
        #expect(error?.reason.contains("SIGSYS") == true)
        #expect(lseek(buffer.file.number, 0, SEEK_END) == buffer.bytes.count)
        #expect(buffer.bytes.allSatisfy { $0 <= 1 })
    }
}
