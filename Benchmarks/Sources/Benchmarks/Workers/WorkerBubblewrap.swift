import FoundationEssentials
import Glibc
import WebImage

/// Decoding by workers against the way of other libraries: a program in bubblewrap's namespaces for each picture, whose pixels
/// are in shared memory.
struct WorkerBubblewrap<Picture: WorkerPicture>: Benchmark {
    static var id: String { "worker-bubblewrap-\(Picture.name)" }
    static var what: String { "\(Picture.what) by workers, elapsed" }

    func run() async throws -> Measurement {
        let folder = TemporaryDirectory()
        guard let file = try Picture.files(in: folder.path).first else { throw BenchmarkError("there is no picture") }
        let outcome = try await Turns().compare {
            try seconds { _ = try Image(contentsOf: file, coder: Picture.coder) } * 1e3
        } rival: {
            try seconds { try Bubblewrap.decode(file) } * 1e3
        }
        return measurement(outcome, rival: "a program in bubblewrap", goal: 1)
    }
}

/// A program that decodes a picture in bubblewrap's namespaces.
enum Bubblewrap {
    static var isInstalled: Bool { access("/usr/bin/bwrap", X_OK) == 0 }

    /// Until the pixels are in this process's memory, too.
    static func decode(_ file: URL) throws {
        let pixels = "/dev/shm/webimage-benchmark-\(getpid())"
        try Data().write(to: URL(filePath: pixels))
        defer { unlink(pixels) }
        try Child.run(
            "bwrap",
            [
                "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
                "--bind", pixels, pixels, try Child.program("PixelsProgram"), file.path, pixels,
            ])
        let mapped = try Data(contentsOf: URL(filePath: pixels), options: .alwaysMapped)
        guard mapped.count > 1 else { throw BenchmarkError("the program in bubblewrap has decoded nothing") }
    }
}
