import FoundationEssentials
import Glibc
import WebImage

/// Reading entries from the disk cache, checksum included, against the bare system calls: open, get the size, read into
/// memory and close a plain file of the same bytes in directories like the cache's.
struct DiskRead<Size: BodySize>: Benchmark {
    static var id: String { "disk-read-\(Size.name)" }
    static var what: String { "disk cache, one hit of \(Size.byteCount / 1000) KB" }

    func run() async throws -> Measurement {
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path + "/cache")
        let body = Data((0..<Size.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        let keys = (0..<Size.fileCount).map { CacheKey("https://example.org/pictures/of/some/length/\($0).jpg") }
        for key in keys { try cache.store(DiskCacheEntry(data: body, headers: SampleHeaders.fields), for: key) }
        let plain = try PlainFiles(in: directory.path + "/plain", count: Size.fileCount)
        for index in 0..<Size.fileCount { try plain.write(body, at: index) }
        _ = cache.usage()

        let outcome = try await Turns(count: 15).compare {
            try seconds {
                for key in keys {
                    guard let entry = try cache.entry(for: key), entry.data.count == Size.byteCount else {
                        throw BenchmarkError("not a hit")
                    }
                }
            } * 1e6 / Double(Size.fileCount)
        } rival: {
            try seconds { for index in 0..<Size.fileCount { try plain.read(at: index, byteCount: Size.byteCount) } }
                * 1e6 / Double(Size.fileCount)
        }
        return measurement(outcome, unit: "µs", rival: "open, fstat, read, close", goal: Size.readGoal)
    }
}

/// Storing new entries in the disk cache, against the bare system calls: a temporary file and a rename.
struct DiskStore<Size: BodySize>: Benchmark {
    static var id: String { "disk-store-\(Size.name)" }
    static var what: String { "disk cache, storing \(Size.byteCount / 1000) KB" }

    private static var count: Int { 6_000_000 / Size.byteCount }

    func run() async throws -> Measurement {
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path + "/cache")
        let body = Data((0..<Size.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        let entry = DiskCacheEntry(data: body, headers: SampleHeaders.fields)
        // Creates the directories before the measurement.
        for number in 0..<3000 { try cache.store(DiskCacheEntry(data: Data()), for: CacheKey("first \(number)")) }
        _ = cache.usage()
        let turns = Turns(count: 15)
        let plain = try PlainFiles(in: directory.path + "/plain", count: Self.count * (turns.count + turns.warmUp))
        var (stored, written) = (0, 0)
        // Dirty pages of earlier benchmarks slow one side down more than the other.
        sync()

        // Without removals in between: an operation after a removal pays for it.
        let outcome = try await turns.compare {
            let keys = (0..<Self.count).map {
                CacheKey("https://example.org/pictures/of/some/length/\(stored + $0).jpg")
            }
            stored += Self.count
            return try seconds { for key in keys { try cache.store(entry, for: key) } } * 1e6 / Double(Self.count)
        } rival: {
            let names = written..<written + Self.count
            written += Self.count
            return try seconds { for index in names { try plain.write(body, at: index) } } * 1e6 / Double(Self.count)
        }
        return measurement(outcome, unit: "µs", rival: "temporary file and rename", goal: 1.1)
    }
}

/// The size of the bodies.
protocol BodySize: Sendable {
    static var name: String { get }
    static var byteCount: Int { get }
    static var fileCount: Int { get }
    static var readGoal: Double { get }
}

enum SmallBody: BodySize {
    static let name = "20k"
    static let byteCount = 20_000
    static let fileCount = 2000
    static let readGoal = 1.3
}

enum LargeBody: BodySize {
    static let name = "500k"
    static let byteCount = 500_000
    static let fileCount = 500
    static let readGoal = 1.15
}

/// Typical HTTP fields of a picture.
enum SampleHeaders {
    static let fields = [
        "content-type": "image/jpeg", "etag": "\"5f3e-61a2b3c4d5e6f\"", "cache-control": "public, max-age=604800",
        "last-modified": "Tue, 03 Jun 2025 09:12:44 GMT", "date": "Sat, 14 Jun 2025 18:01:02 GMT",
    ]
}

/// Plain files in 256 directories, by bare system calls.
final class PlainFiles {
    private let paths: [[CChar]]
    private let temporaryPaths: [[CChar]]

    init(in directory: String, count: Int) throws {
        var (paths, temporaryPaths): ([[CChar]], [[CChar]]) = ([], [])
        for number in 0..<256 {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/entries/\(number)", withIntermediateDirectories: true)
        }
        for number in 0..<count {
            // As long as the cache's names.
            let name = String(1_000_000_000_000_000_000 + number) + "0123456789012"
            paths.append("\(directory)/entries/\(number % 256)/\(name)".cString)
            temporaryPaths.append("\(directory)/entries/\(number % 256)/.tmp-\(name)".cString)
        }
        (self.paths, self.temporaryPaths) = (paths, temporaryPaths)
    }

    func write(_ body: Data, at index: Int) throws {
        let file = open(temporaryPaths[index], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let written = body.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
        guard written == body.count, rename(temporaryPaths[index], paths[index]) == 0 else {
            throw BenchmarkError("a plain file cannot be written")
        }
    }

    func read(at index: Int, byteCount: Int) throws {
        let file = open(paths[index], O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard fstat(file, &status) == 0, let memory = malloc(Int(status.st_size)) else {
            throw BenchmarkError("a plain file cannot be opened")
        }
        let count = Glibc.read(file, memory, Int(status.st_size))
        close(file)
        free(memory)
        guard count == byteCount else { throw BenchmarkError("a plain file cannot be read") }
    }
}

extension String {
    fileprivate var cString: [CChar] { utf8.map { CChar(bitPattern: $0) } + [0] }
}
