import FoundationEssentials
import Glibc
import WebImage

/// Decoding files by workers against the same in this process: elapsed time, since a worker's processor time is not ours. A
/// picture is released before the next one is decoded, so that pooled buffers and malloc's memory are used again alike.
struct WorkerDecode<Picture: WorkerPicture>: Benchmark {
    static var id: String { "worker-\(Picture.name)" }
    static var what: String { "\(Picture.what) by workers, elapsed" }

    func run() async throws -> Measurement {
        let folder = TemporaryDirectory()
        let files = try Picture.files(in: folder.path)
        let outcome = try await Turns(count: 25).compare {
            try Self.milliseconds(files, by: Picture.coder, copies: Picture.copiesPixels)
        } rival: {
            try Self.milliseconds(files, by: WorkerCoders.inProcess, copies: false)
        }
        return measurement(outcome, rival: "in process", goal: Picture.goal)
    }

    private static func milliseconds(_ files: [URL], by coder: ImageCodersManager, copies: Bool) throws -> Double {
        let time = try seconds {
            for _ in 0..<Picture.repeats {
                for file in files {
                    let image = try Image(contentsOf: file, coder: coder)
                    if copies { try copy(image.bitmap) }
                }
            }
        }
        return time * 1e3 / Double(Picture.repeats)
    }

    /// Into memory as bitmaps have it.
    private static func copy(_ bitmap: Bitmap) throws {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, 2 << 20, bitmap.byteCount) == 0, let memory else {
            throw BenchmarkError("there is no memory")
        }
        defer { free(memory) }
        madvise(memory, bitmap.byteCount, MADV_HUGEPAGE)
        bitmap.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
        }
    }
}
