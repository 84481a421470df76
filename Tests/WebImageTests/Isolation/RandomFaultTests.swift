import Foundation
import Testing
import WebImageTestSupport

@testable import WebImage
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
        #expect(ProcessHoldings() == before)
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

    @Test("a file that a worker has been given cannot be changed by it, and memory for pixels keeps its size")
    func tampering() throws {
        let source = FaultyHelper.make()
        let content = [UInt8](repeating: 7, count: 8192)
        let file = try content.withUnsafeBytes { try SharedMemory.sealedFile(of: $0) }
        #expect(try source.answer(to: "tamper 8192", with: [file]) == "0")
        let buffer = try source.makeBuffer(byteCount: 8192)
        for descriptor in [file, buffer.file] {
            let error = #expect(throws: WebImageError.self) { try source.answer(to: "shrink", with: [descriptor]) }
            #expect(error?.reason.contains("SIGSYS") == true)
        }
        var found = [UInt8](repeating: 0, count: 8193)
        #expect(pread(file.number, &found, 8193, 0) == 8192 && Array(found.prefix(8192)) == content)
        #expect(pread(buffer.file.number, &found, 8193, 0) == min(8193, buffer.bytes.count))
    }
}
