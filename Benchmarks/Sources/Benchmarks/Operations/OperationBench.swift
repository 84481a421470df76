import COpenCV
import CVips
import Glibc
import WebImage

/// Performs the operations of rivals on one picture.
final class OperationBench {
    let picture: Bitmap
    private let pillow: PillowProcess?
    private let used: UnsafeMutableRawPointer
    /// memcpy, which a compiler leaves out where nobody reads the copy.
    private let copyBytes: Copy

    private typealias Copy =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> UnsafeMutableRawPointer?

    /// The memory of large bitmaps is got in pages of this size.
    private static let hugePage = 2 << 20

    /// - Parameter needsPillow: Whether Pillow is among the rivals.
    init(_ picture: Bitmap, needsPillow: Bool) throws {
        self.picture = picture
        pillow = needsPillow ? try PillowProcess(picture) : nil
        used = UnsafeMutableRawPointer.allocate(byteCount: picture.byteCount, alignment: Self.hugePage)
        memset(used, 1, picture.byteCount)
        guard let address = dlsym(nil, "memcpy") else { throw BenchmarkError("there is no memcpy") }
        copyBytes = unsafeBitCast(address, to: Copy.self)
    }

    deinit { used.deallocate() }

    /// The milliseconds that a rival takes.
    ///
    /// - Parameter byteCount: That of our result.
    func milliseconds<Share: ProcessorShare>(
        _ rival: OperationRival, byteCount: Int, _ share: Share.Type
    ) throws -> Double {
        switch rival.program {
        case .openCV(let operation):
            try share.milliseconds { try withOpenCV(operation) { _, _ in } }
        case .vips(let operation):
            try share.milliseconds { try withVips(operation) { _, _ in } }
        case .pillow(let operation):
            try pillowMilliseconds(operation, share)
        case .copy(let toNewMemory):
            share.milliseconds { copy(byteCount, toNewMemory: toNewMemory) }
        case .ours(let work):
            try share.milliseconds { _ = try work(picture) }
        }
    }

    private func pillowMilliseconds<Share: ProcessorShare>(_ operation: String, _ share: Share.Type) throws -> Double {
        guard let cost = try pillow?.run(operation) else { return .nan }
        return (share.count == 1 ? cost.processor : cost.elapsed) * 1e3
    }

    /// How near a rival's result is to the reference, in decibels; nil for a copy.
    func quality(_ rival: OperationRival, _ reference: OperationReference.Quality) throws -> Double? {
        switch rival.program {
        case .openCV(let operation): return try withOpenCV(operation) { reference.of($0, row: $1 * 4) }
        case .vips(let operation): return try withVips(operation) { reference.of($0, row: $1 * 4) }
        case .pillow(let operation):
            guard let result = try pillow?.result(of: operation) else { return nil }
            return result.bytes.withUnsafeBytes { reference.of($0, row: result.size.width * 4) }
        case .copy, .ours: return nil
        }
    }

    private func withOpenCV<Value>(
        _ operation: String, _ body: (UnsafeRawBufferPointer, _ width: Int) -> Value
    ) throws -> Value {
        let result = withPixels { webimage_opencv_run(operation, $0, $1, $2) }
        defer { webimage_opencv_free(result) }
        guard let pixels = result.pixels else { throw BenchmarkError("OpenCV has no \(operation)") }
        let bytes = UnsafeRawBufferPointer(start: pixels, count: Int(result.width) * Int(result.height) * 4)
        return body(bytes, Int(result.width))
    }

    private func withVips<Value>(
        _ operation: String, _ body: (UnsafeRawBufferPointer, _ width: Int) -> Value
    ) throws -> Value {
        let result = withPixels { webimage_vips_run(operation, $0, $1, $2) }
        defer { webimage_vips_free(result) }
        guard let pixels = result.pixels else { throw BenchmarkError("vips has no \(operation)") }
        let bytes = UnsafeRawBufferPointer(start: pixels, count: Int(result.width) * Int(result.height) * 4)
        return body(bytes, Int(result.width))
    }

    private func withPixels<Value>(_ body: (UnsafePointer<UInt8>?, Int32, Int32) -> Value) -> Value {
        picture.withUnsafeBytes { bytes in
            body(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(picture.size.width),
                Int32(picture.size.height))
        }
    }

    private func copy(_ byteCount: Int, toNewMemory: Bool) {
        picture.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            guard toNewMemory else {
                _ = copyBytes(used, from, byteCount)
                return
            }
            var address: UnsafeMutableRawPointer?
            guard posix_memalign(&address, Self.hugePage, byteCount) == 0, let address else { return }
            madvise(address, byteCount, MADV_HUGEPAGE)
            _ = copyBytes(address, from, byteCount)
            free(address)
        }
    }
}
