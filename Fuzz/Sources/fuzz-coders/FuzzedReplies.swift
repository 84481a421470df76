import FoundationEssentials
import Glibc
import Synchronization

@testable import WebImageCoders
@testable import WebImageCore
@testable import WebImageIsolation

/// Decodes by a worker that says what the bytes are: a kind of picture, a way to decode it, and packets, each behind its length
/// in two bytes.
struct FuzzedReplies: FuzzTarget {
    private static let ways = 5

    func run(_ bytes: Data) {
        let bytes = [UInt8](bytes)
        guard bytes.count >= 2, let kind = DecoderKind(rawValue: bytes[0] % UInt8(DecoderKind.allCases.count)) else {
            return
        }
        let coder = IsolatedCoder(kind: kind, source: FuzzedWorkers(packets: Self.packets(of: bytes.dropFirst(2))))
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 16
        options.limits.maximumFrameCount = 1000
        switch Int(bytes[1]) % Self.ways {
        case 0: decode(coder, options)
        case 1: _ = try? coder.properties(of: Self.file, isComplete: true, options: options)
        case 2: decodeFrames(coder, options)
        case 3: decodeParts(coder, options)
        default: decodeRegions(coder, options.limits)
        }
    }

    private static let file = Data("a file".utf8)

    private static func packets(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var (packets, rest): ([[UInt8]], _) = ([], bytes)
        while rest.count >= 2 {
            let count = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
            packets.append([UInt8](rest.dropFirst(2).prefix(count)))
            rest = rest.dropFirst(2 + count)
        }
        return packets
    }

    private func decode(_ coder: IsolatedCoder, _ options: ImageDecodeOptions) {
        guard let image = try? coder.decode(Self.file, options: options) else { return }
        precondition(image.bitmap.withUnsafeBytes { $0.reduce(0 as UInt) { $0 &+ UInt($1) } } != .max)
        precondition(image.bitmap.size.area <= options.limits.maximumPixelCount)
    }

    private func decodeFrames(_ coder: IsolatedCoder, _ options: ImageDecodeOptions) {
        guard let animation = try? coder.makeAnimation(of: Self.file, options: options) else { return }
        precondition((1...1000).contains(animation.frameCount))
        for index in 0..<min(4, animation.frameCount) { _ = try? animation.frame(at: index) }
        let length = (0..<animation.frameCount).reduce(Duration.zero) { $0 + animation.duration(at: $1) }
        precondition(length >= .zero && animation.workingByteCount >= 0)
    }

    private func decodeParts(_ coder: IsolatedCoder, _ options: ImageDecodeOptions) {
        let decoder = coder.makeProgressiveDecoder(options: options)
        for _ in 0..<4 {
            guard let image = try? decoder.update(Self.file) else { continue }
            if let animation = image.animation { _ = try? animation.frame(at: animation.frameCount - 1) }
        }
    }

    private func decodeRegions(_ coder: IsolatedCoder, _ limits: ImageLimits) {
        guard let file = try? coder.openRegions(of: RandomAccessFile(Self.file), limits: limits, in: .sRGB) else {
            return
        }
        let cancellation = CancellationFlag()
        let receiver = CountedRows(bytesPerRow: file.storedSize.width * 4)
        try? file.readRows(reducedBy: 1, into: receiver, cancellation: cancellation)
        _ = try? file.prepareRegions(kept: nil, cancellation: cancellation) {}
        let region = PixelRegion(columns: 0..<4, rows: 0..<4).clamped(to: file.storedSize)
        try? file.decode([region], reduction: 1, cancellation: cancellation) { index, bitmap in
            precondition(index == 0 && bitmap.size.area == region.size.area)
        }
    }
}

private final class CountedRows: PixelRowReceiver {
    private let bytesPerRow: Int

    init(bytesPerRow: Int) { self.bytesPerRow = bytesPerRow }

    func receive(_ row: UnsafeRawBufferPointer) {
        precondition(row.count == bytesPerRow && row.reduce(0 as UInt) { $0 &+ UInt($1) } != .max)
    }
}

/// Workers that all say the next packet, whatever they are asked.
private final class FuzzedWorkers: WorkerSource, WorkerConnection {
    private let packets: Mutex<[[UInt8]]>

    init(packets: [[UInt8]]) { self.packets = Mutex(packets.reversed()) }

    func makeWorker(for kind: DecoderKind, limits: ImageLimits) throws(WebImageError) -> any WorkerConnection { self }

    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        let path = "/dev/shm/webimage-fuzz-\(UInt64.random(in: .min ... .max))"
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        guard number >= 0, byteCount <= 1 << 24, ftruncate(number, byteCount) == 0,
            let buffer = SharedBuffer(mapping: OwnedDescriptor(number), byteCount: byteCount)
        else { throw .outOfMemory(for: PixelSize(width: byteCount, height: 1)) }
        return buffer
    }

    func send(_ packet: consuming WorkerPacket) throws(WebImageError) {}

    func receive(within options: ImageDecodeOptions) throws(WebImageError) -> WorkerPacket {
        guard let bytes = packets.withLock({ $0.popLast() }) else { throw .cancelled() }
        return WorkerPacket(bytes: bytes)
    }

    func begin(within limits: ImageLimits) -> Bool { false }
    func beginAnswer() {}
    func dismiss() { end() }
    func end() {}
}
