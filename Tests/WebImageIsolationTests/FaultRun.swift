import Foundation
import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageIsolation
@testable import WebImageTestDoubles

/// The fault during one decode.
struct RandomFault {
    enum Kind {
        case none
        /// A signal to the worker, after some moments.
        case signal(Int32)
        /// A misdeed of the worker, at one of its messages.
        case planted(String)
        /// A signal to the helper that all workers come from.
        case helper(Int32)
        /// This process has no descriptor left, on any thread.
        case noDescriptors
    }

    let kind: Kind
    let picture: Int
    /// Steps of a loop, or the number of a message.
    let instant: Int

    private static let planted = [
        "crash", "abort", "exit", "socket", "close", "loop", "sleep", "exhaust", "flood", "parts",
    ]

    init(_ index: Int, using random: inout SplitMix) {
        picture = Int.random(in: 0..<FaultRun.pictureCount, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        // Far apart: a picture begins once more, and not twice.
        case _ where index % 100 == 99: kind = .helper(index == 499 ? SIGSTOP : SIGKILL)
        case _ where index % 100 == 49: kind = .noDescriptors
        case 0...3: kind = .none
        case 4, 5: kind = .signal(SIGKILL)
        case 6: kind = .signal(SIGSTOP)
        default: kind = .planted(Self.planted.randomElement(using: &random) ?? "")
        }
        let range = if case .planted = kind { 1...6 } else { 0...300_000 }
        instant = Int.random(in: range, using: &random)
    }

    /// The limits are short where a test waits for them, and otherwise longer than any decode takes on a busy machine.
    var options: ImageDecodeOptions {
        var options = ImageDecodeOptions()
        let waits =
            switch kind {
            case .signal(SIGSTOP), .planted("loop"), .planted("sleep"), .planted("parts"): true
            default: false
            }
        options.limits.maximumDecodeDuration = waits ? .milliseconds(200) : .seconds(20)
        options.limits.maximumDecodeMemory = 256 << 20
        return options
    }

    /// Whether it may end a decode with this error.
    func explains(_ error: WebImageError) -> Bool {
        switch kind {
        case .none, .helper, .noDescriptors: false
        case .signal, .planted("loop"), .planted("sleep"): error.code == .limitExceeded
        case .planted: error.code == .badImageData && error.kind == .permanent || error.code == .limitExceeded
        }
    }
}

/// Faults during decodes on several threads.
final class FaultRun: Sendable {
    private static let names = ["gray.jpg", "animated.png", "lossless.webp", "animated.gif"]
    private static let kinds: [DecoderKind] = [.jpeg, .png, .webP, .gif, .png]
    static let pictureCount = kinds.count

    private let source = DecoderProcess(
        path: FaultyHelper.path, buffers: SharedBufferPool(maximumByteCount: 0), patience: 5_000, spares: nil)
    private let files: [Data]
    private let expected: [[[UInt8]]]
    private let lostHelpers = Atomic(0)
    /// Counted at the beginning and at the end of each time without descriptors.
    private let scarcities = Atomic(0)
    private let endings = Atomic(0)
    private let failures = Atomic(0)
    /// Threads that have not ended.
    private let threads = DispatchGroup()

    init() throws {
        let small = try Self.names.map { try Data(contentsOf: URL(filePath: Fixtures.path($0))) }
        files = small + [try Self.largePicture()]
        expected = try files.map { data in
            try Self.pixels(of: ImageCodersManager.shared.decode(data, options: ImageDecodeOptions()))
        }
    }

    /// A small file with pixels that need shared memory.
    private static func largePicture() throws -> Data {
        let size = PixelSize(width: 256, height: 256)
        let bitmap = try Bitmap(size: size, pixels: (0..<size.area * 4).map { UInt8(truncatingIfNeeded: $0 / 64 | 3) })
        return try ImageCodersManager.shared.encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
    }

    /// The decodes that have failed so far: without any, no fault would have met one.
    var failureCount: Int { failures.load(ordering: .relaxed) }

    /// - Returns: How many decodes have ended.
    func run(_ faults: [RandomFault], lanes: Int = 4) -> Int {
        endings.store(0, ordering: .relaxed)
        for lane in 0..<lanes {
            start { [self] in
                for index in stride(from: lane, to: faults.count, by: lanes) { decode(during: faults[index], index) }
            }
        }
        threads.wait()
        source.settle()
        return endings.load(ordering: .relaxed)
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        threads.enter()
        // The thread's own closure outlives its last line: it must not hold a worker then.
        let held = Mutex<(@Sendable () -> Void)?>(work)
        Thread { [threads] in
            held.withLock { $0.take() }?()
            threads.leave()
        }.start()
    }

    private func decode(during fault: RandomFault, _ index: Int) {
        switch fault.kind {
        case .helper(let signal):
            lostHelpers.add(1, ordering: .relaxed)
            source.signal(signal)
            check(fault, index)
        case .noDescriptors:
            scarcities.add(1, ordering: .relaxed)
            var hoard: [Int32] = []
            while case let file = open("/dev/null", O_RDONLY | O_CLOEXEC), file >= 0 { hoard.append(file) }
            check(fault, index)
            for file in hoard { close(file) }
            scarcities.add(1, ordering: .relaxed)
        default: check(fault, index)
        }
    }

    private func check(_ fault: RandomFault, _ index: Int) {
        let (lost, scarce) = (lostHelpers.load(ordering: .relaxed), scarcities.load(ordering: .relaxed))
        var data = files[fault.picture]
        if case .planted(let name) = fault.kind { data += Data("\nfault: \(name) \(fault.instant)".utf8) }
        let coder = IsolatedCoder(kind: Self.kinds[fault.picture], source: StruckSource(self, fault))
        let result = Result { () throws(WebImageError) in
            try Self.pixels(of: coder.decode(data, options: fault.options))
        }
        endings.add(1, ordering: .relaxed)
        switch result {
        case .success(let pixels):
            if pixels != expected[fault.picture] { Issue.record("\(index): \(fault) gives other pixels") }
        case .failure(let error):
            failures.add(1, ordering: .relaxed)
            let isOfOthers = error.kind == .transient && isDisturbed(since: lost, scarce)
            if !fault.explains(error) && !isOfOthers { Issue.record("\(index): \(fault) gives \(error)") }
        }
    }

    /// A picture begins once more after the first helper that is lost.
    private func isDisturbed(since lost: Int, _ scarce: Int) -> Bool {
        lostHelpers.load(ordering: .relaxed) - lost > 1 || !scarce.isMultiple(of: 2)
            || scarcities.load(ordering: .relaxed) != scarce
    }

    /// Of the picture and of the frame after it.
    private static func pixels(of image: Image) throws(WebImageError) -> [[UInt8]] {
        let next = try image.animation.map { animation throws(WebImageError) in try animation.frame(at: 1).bytes }
        return [image.bitmap.bytes] + (next.map { [$0] } ?? [])
    }

    /// Workers that get a signal.
    private struct StruckSource: WorkerSource {
        let run: FaultRun
        let fault: RandomFault

        init(_ run: FaultRun, _ fault: RandomFault) {
            self.run = run
            self.fault = fault
        }

        func makeWorker(for kind: DecoderKind, limits: ImageLimits) throws(WebImageError) -> any WorkerConnection {
            let worker = try run.source.makeWorker(for: kind, limits: limits)
            guard case .signal(let number) = fault.kind, let connection = worker as? SocketConnection else {
                return worker
            }
            run.start { [instant = fault.instant] in
                // Not a wait: an instant somewhere between the start and the answer.
                for step in 0..<instant where step < 0 { return }
                connection.signal(number)
            }
            return worker
        }

        func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
            try run.source.makeBuffer(byteCount: byteCount)
        }
    }
}
