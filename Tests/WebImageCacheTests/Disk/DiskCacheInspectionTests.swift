import Foundation
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Disk cache: looking at all entries")
struct DiskCacheInspectionTests {
    private let directory: CacheDirectory
    private let cache: DiskCache

    init() throws {
        directory = try CacheDirectory()
        cache = directory.cache()
    }

    private func file(of key: String) throws -> String { try #require(cache.cachePath(for: CacheKey(key))) }

    private func summaries(_ cache: DiskCache) throws -> [String: DiskCacheEntrySummary] {
        var summaries: [String: DiskCacheEntrySummary] = [:]
        try cache.forEachEntry { summary in
            summaries[summary.key.string] = summary
            return true
        }
        return summaries
    }

    @Test("T4.31 T4.33 CAC-5 the path of a key is the path of its file, whether it exists or not")
    func path() throws {
        let key = CacheKey("https://example.org/a.jpg")
        let path = try #require(cache.cachePath(for: key))
        #expect(path.hasPrefix(directory.path))
        try cache.store(.sample(), for: key)
        #expect(try directory.onlyFile == path)
    }

    @Test("every entry is listed with its key, sizes, dates and fields, and no body is read")
    func list() throws {
        let storedAt = Date(timeIntervalSinceReferenceDate: 800_000_000.5)
        let entry = DiskCacheEntry(
            data: Data(count: 3000), storedAt: storedAt, headers: ["etag": "\"1\""], extendedData: Data([1, 2]),
            createdAt: storedAt - 60, expiresAt: storedAt + 1_000_000_000)
        let long = String(repeating: "k", count: 100_000)
        for key in ["a", "b", long] { try cache.store(entry, for: CacheKey(key)) }
        // The body is damaged: a read of it would be reported.
        let damaged = try FileHandle(forUpdating: URL(fileURLWithPath: file(of: "b")))
        try damaged.seek(toOffset: 2000)
        try damaged.write(contentsOf: Data([1]))

        let found = try summaries(cache)
        #expect(Set(found.keys) == ["a", "b", long])
        for (key, summary) in found {
            #expect(summary.byteCount == 3000 && summary.extendedByteCount == 2 && summary.headers == entry.headers)
            #expect(summary.storedAt == storedAt && summary.createdAt == storedAt - 60)
            #expect(summary.expiresAt == entry.expiresAt)
            #expect(try summary.path == file(of: key))
            let size = try FileManager.default.attributesOfItem(atPath: summary.path)[.size] as? Int
            #expect(summary.fileByteCount == size)
            #expect(abs(summary.accessedAt.timeIntervalSinceNow) < 3600)
        }
    }

    @Test("listing stops on request, and lists nothing without a directory")
    func stop() throws {
        for number in 0..<10 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        var count = 0
        try cache.forEachEntry { _ in
            count += 1
            return count < 3
        }
        #expect(count == 3)
        #expect(try summaries(DiskCache(directory: "\(directory.path)/missing")).isEmpty)
        #expect(try DiskCache(directory: "\(directory.path)/missing").verify() == DiskCacheVerification())
    }

    @Test("a directory that cannot be listed is an error, not an empty cache")
    func notListable() throws {
        try cache.store(.sample(), for: CacheKey("a"))
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.list, with: EACCES)
        let cache = directory.cache(fileSystem)
        #expect(throws: WebImageError.self) { try summaries(cache) }
        let error = #expect(throws: WebImageError.self) { try cache.verify() }
        #expect(error?.code == .accessDenied && error?.stage == .disk)
    }

    @Test(
        "a file or a link in the place of a directory is a problem, and repairing removes it", arguments: [true, false])
    func obstacles(isOfRoot: Bool) throws {
        try cache.store(.sample(), for: "a")
        let folder = (try file(of: "a") as NSString).deletingLastPathComponent
        let root = (folder as NSString).deletingLastPathComponent
        let files = FileManager.default
        let places = isOfRoot ? [root] : [folder, "\(root)/\(folder.hasSuffix("/00") ? "01" : "00")"]
        for place in places { try? files.removeItem(atPath: place) }
        #expect(files.createFile(atPath: places[0], contents: Data([1])))
        if places.count > 1 { try files.createSymbolicLink(atPath: places[1], withDestinationPath: "/") }
        for repairing in [false, true] {
            var problems: [DiskCacheProblem] = []
            _ = try cache.verify(repairing: repairing) { problems.append($0) }
            #expect(Set(problems.map(\.path)) == Set(places))
            #expect(problems.allSatisfy { $0.kind == .obstacle && $0.isRemoved == repairing })
        }
        #expect(try cache.verify().problemCount == 0)
        try cache.store(.sample(), for: "a")
        #expect(try cache.verify().entryCount == 1)
    }

    @Test(
        "a directory in the place of a file of the index is a problem, and stays if it has files",
        // A new owner removes what is in the place of its own file.
        arguments: IndexFiles.names.subtracting(["owner"]), [true, false])
    func obstacleOfIndex(name: String, isEmpty: Bool) throws {
        try cache.store(.sample(), for: "a")
        let folder = (try file(of: "a") as NSString).deletingLastPathComponent
        let place = "\((folder as NSString).deletingLastPathComponent)/\(name)"
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        if !isEmpty { #expect(FileManager.default.createFile(atPath: "\(place)/notes", contents: nil)) }
        for repairing in [false, true] {
            var problems: [DiskCacheProblem] = []
            _ = try cache.verify(repairing: repairing) { problems.append($0) }
            #expect(problems.map(\.path) == [place])
            #expect(problems.allSatisfy { $0.kind == .obstacle && $0.isRemoved == (repairing && isEmpty) })
        }
    }

    @Test("the beginning of a file is no picture, but its bytes count")
    func beginnings() throws {
        try cache.store(.sample(count: 5000), for: "a")
        let whole = cache.pictureUsage()
        try cache.store(.sample(count: 5000), for: CacheKey("b").partialBody)
        // As it was counted, and as another cache lists it.
        for usage in [cache.pictureUsage(), directory.cache().pictureUsage()] {
            #expect(usage.count == 1 && usage.byteCount > whole.byteCount)
        }
        try cache.remove(for: CacheKey("b").partialBody)
        #expect(cache.pictureUsage() == whole)
    }

    @Test("verifying finds damaged, left over and foreign files, and repairing removes those of the cache")
    func verify() throws {
        for key in ["whole", "damaged", "cut", "moved", "link", "fresh"] {
            try cache.store(.sample(count: 5000), for: CacheKey(key))
        }
        // Loading the index removes old partial files: it is loaded before the test adds any.
        #expect(cache.usage().count == 6)
        let files = FileManager.default
        let damaged = try FileHandle(forUpdating: URL(fileURLWithPath: file(of: "damaged")))
        try damaged.seek(toOffset: 4000)
        try damaged.write(contentsOf: Data([0, 1, 2]))
        try #require(truncate(file(of: "cut"), 4000) == 0)
        let wrongPlace = try file(of: "another key")
        try files.createDirectory(
            atPath: (wrongPlace as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try files.moveItem(atPath: file(of: "moved"), toPath: wrongPlace)
        try files.removeItem(atPath: file(of: "link"))
        try files.createSymbolicLink(atPath: file(of: "link"), withDestinationPath: file(of: "whole"))
        let folder = (try file(of: "whole") as NSString).deletingLastPathComponent
        let (leftOver, unfinished) = ("\(folder)/\(TemporaryName.make())", "\(folder)/\(TemporaryName.make())")
        for path in [leftOver, unfinished, "\(folder)/notes.txt", "\(directory.path)/entries-3/notes.txt"] {
            #expect(files.createFile(atPath: path, contents: Data([1])))
        }
        try files.setAttributes([.modificationDate: Date.fileTime(fromNow: -3600)], ofItemAtPath: leftOver)

        let expected: [String: DiskCacheProblem.Kind] = [
            try file(of: "damaged"): .damaged, try file(of: "cut"): .damaged, wrongPlace: .damaged,
            try file(of: "link"): .damaged, leftOver: .leftOver, "\(folder)/notes.txt": .foreign,
            "\(directory.path)/entries-3/notes.txt": .foreign,
        ]
        let before = Set(directory.files)
        for repairing in [false, true] {
            var problems: [DiskCacheProblem] = []
            let result = try cache.verify(repairing: repairing) { problems.append($0) }
            #expect(Dictionary(uniqueKeysWithValues: problems.map { ($0.path, $0.kind) }) == expected)
            #expect(problems.allSatisfy { $0.isRemoved == (repairing && $0.kind != .foreign) })
            #expect(result.entryCount == 2 && result.problemCount == 7 && result.removedCount == (repairing ? 5 : 0))
            #expect(directory.files.count == before.count - result.removedCount)
        }
        let left = try cache.verify()
        #expect(left.entryCount == 2 && left.problemCount == 2)
        #expect(directory.cache().usage() == DiskCacheUsage(count: 2, byteCount: left.byteCount))
    }

    @Test("an entry that cannot be read is not reported as damaged, and stays")
    func unreadable() throws {
        try cache.store(.sample(), for: CacheKey("a"))
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.read, with: EIO)
        var problems: [DiskCacheProblem] = []
        let result = try directory.cache(fileSystem).verify(repairing: true) { problems.append($0) }
        #expect(problems.map(\.kind) == [.unreadable])
        #expect(result.removedCount == 0 && directory.files.count == 1)
    }
}
