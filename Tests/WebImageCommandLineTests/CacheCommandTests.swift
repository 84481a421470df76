import CLinux
import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Command line: cache", .timeLimit(.minutes(5)))
struct CacheCommandTests {
    private let program: Program

    init() throws { program = try Program() }

    /// The program's default cache, as used by another process.
    private var cache: DiskCache { DiskCache(directory: program.cache.path) }

    private static let photo = DiskCacheEntry(
        data: (try? Fixtures.data("photo.jpg")) ?? Data(), headers: ["etag": "\"1\"", "content-type": "image/jpeg"],
        extendedData: Data("own".utf8))

    private static func key(_ name: String) -> CacheKey { CacheKey("https://example.org/\(name)") }

    /// Three entries: the largest is the least recently used, the smallest the most recently used.
    private func fill() throws {
        let entries = [("c.jpg", 5000, 30.0), ("a.jpg", 3000, 20), ("b.jpg", 1000, 10)]
        // The cache's work at its end, on its own thread, is complete before the times are set.
        try stored(entries.map { ($0.0, $0.1) }).sync {}
        for (name, _, hours) in entries {
            let path = try #require(cache.cachePath(for: Self.key(name)))
            try setUse(of: path, secondsAgo: hours * 3600)
        }
    }

    /// Stores entries by a cache that is then released.
    private func stored(_ entries: [(name: String, count: Int)]) throws -> MaintenanceQueue {
        let cache = cache
        for entry in entries { try cache.store(.sample(count: entry.count), for: Self.key(entry.name)) }
        return cache.maintenance
    }

    /// Sets the times of a file's write and last use.
    private func setUse(of path: String, secondsAgo: TimeInterval) throws {
        var times = [timespec](repeating: timespec(), count: 2)
        for index in times.indices { times[index].tv_sec = Int(Date().timeIntervalSince1970 - secondsAgo) }
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        // It knows of no such use.
        try? FileManager.default.removeItem(atPath: "\(program.cache.path)/entries-3/snapshot")
    }

    private func keys(_ run: Program.Ending) throws -> [String] {
        try run.objects().compactMap { ($0["key"] as? String)?.split(separator: "/").last.map(String.init) }
    }

    @Test(
        "list prints a line for each picture, in the requested order",
        arguments: [
            ("size", ["c.jpg", "a.jpg", "b.jpg"]), ("date", ["b.jpg", "a.jpg", "c.jpg"]),
            ("key", ["a.jpg", "b.jpg", "c.jpg"]),
        ])
    func list(order: String, names: [String]) async throws {
        try fill()
        let run = try await program.run("cache", "list", "--sort", order, "--json")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(try keys(run) == names)
        let first = try #require(try run.objects().first)
        let path = try #require(first["path"] as? String)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(first["bytes"] as? Int ?? 0 < first["fileBytes"] as? Int ?? 0)
        let text = try await program.run("cache", "list", "--sort", order)
        #expect(text.lines.count == 3 && text.lines[0].hasSuffix("https://example.org/\(names[0])"))
        #expect(try await program.run("cache", "list", "--quiet").output.isEmpty)
    }

    @Test("list of all, without an order, has each picture once; that of a missing cache is empty")
    func listAll() async throws {
        try fill()
        #expect(try Set(keys(await program.run("cache", "list", "--json"))) == ["a.jpg", "b.jpg", "c.jpg"])
        let none = try await program.run("cache", "list", "--cache", "none")
        #expect(none.status == 0 && none.output.isEmpty && program.files.isEmpty)
    }

    @Test("show prints everything about a picture, by its address, by its file's name and by its path")
    func show() async throws {
        try cache.store(Self.photo, for: Self.key("a.jpg"))
        let path = try #require(cache.cachePath(for: Self.key("a.jpg")))
        for name in [Self.key("a.jpg").string, path, URL(filePath: path).lastPathComponent] {
            let run = try await program.run("cache", "show", name, "--json")
            let object = try #require(try run.objects().first)
            #expect(run.status == 0 && run.lines.count == 1)
            #expect(object["key"] as? String == Self.key("a.jpg").string)
            #expect(object["format"] as? String == "JPEG")
            #expect(object["width"] as? Int == 200 && object["height"] as? Int == 150)
            #expect((object["headers"] as? [String: String])?["etag"] == "\"1\"")
            #expect(object["bytes"] as? Int == Self.photo.data.count && object["extendedBytes"] as? Int == 3)
        }
        let text = try await program.run("cache", "show", path).text
        #expect(text.contains("200×150") && text.contains("content-type") && text.contains(path))
    }

    @Test("looking does not count as a use")
    func looking() async throws {
        try fill()
        let before = try #require(try cache.summary(for: Self.key("a.jpg")))
        _ = try await program.run("cache", "show", Self.key("a.jpg").string)
        _ = try await program.run("cache", "list")
        _ = try await program.run("cache", "verify")
        #expect(try cache.summary(for: Self.key("a.jpg"))?.accessedAt == before.accessedAt)
    }

    @Test(
        "a picture that is not in the cache is an error, for show and for remove; the others are removed nevertheless")
    func missing() async throws {
        try fill()
        let show = try await program.run("cache", "show", "https://example.org/none.jpg")
        #expect(show.status == 1 && show.output.isEmpty && show.errorLines.count == 1)
        #expect(show.errors.contains("not in the cache"))
        let file = URL(filePath: try #require(cache.cachePath(for: Self.key("b.jpg")))).lastPathComponent
        let remove = try await program.run(
            "cache", "remove", Self.key("a.jpg").string, "none", file, "--json")
        #expect(remove.status == 1 && remove.errorLines.count == 1 && remove.lines.count == 3)
        #expect((try remove.objects()[1]["error"] as? [String: Any])?["code"] as? Int == 3024)
        #expect(try keys(await program.run("cache", "list", "--json")) == ["c.jpg"])
    }

    @Test(
        "complaint 20: trim removes the least recently used pictures, to the limit and no further",
        arguments: [
            (["--count", "2"], ["a.jpg", "b.jpg"]), (["--age", "25h"], ["a.jpg", "b.jpg"]),
            (["--size", "8.2kB"], ["a.jpg", "b.jpg"]), (["--size", "8kB", "--age", "2d"], ["b.jpg"]),
            (["--count", "0"], []), ([], ["a.jpg", "b.jpg", "c.jpg"]),
            (["--size", "1GiB"], ["a.jpg", "b.jpg", "c.jpg"]),
        ])
    func trim(options: [String], names: [String]) async throws {
        try fill()
        let run = try await program.run(["cache", "trim", "--json"] + options)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try run.objects().first?["entries"] as? Int == 3 - names.count)
        #expect(try keys(await program.run("cache", "list", "--sort", "key", "--json")) == names)
    }

    @Test("trim without limits removes pictures that were not used for a week")
    func trimByDefault() async throws {
        try fill()
        try setUse(of: try #require(cache.cachePath(for: Self.key("c.jpg"))), secondsAgo: 8 * 86_400)
        #expect(try await program.run("cache", "trim").text.contains("removed 1 picture,"))
        #expect(try keys(await program.run("cache", "list", "--sort", "key", "--json")) == ["a.jpg", "b.jpg"])
    }

    @Test("complaint 11: verify finds damaged, left over and foreign files; with --repair the cache's own are removed")
    func verify() async throws {
        try fill()
        let whole = try await program.run("cache", "verify")
        #expect(whole.status == 0 && whole.text.contains("3 pictures") && whole.text.contains("0 problems"))

        let path = try #require(cache.cachePath(for: Self.key("a.jpg")))
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: path))
        let letter = URL(filePath: path).deletingLastPathComponent().appending(path: "letter.txt")
        try Data("mine".utf8).write(to: letter)
        let run = try await program.run("cache", "verify", "--json")
        #expect(run.status == 1)
        let objects = try run.objects()
        #expect(Set(objects.compactMap { $0["problem"] as? String }) == ["damaged", "foreign"])
        #expect(objects.last?["entries"] as? Int == 2 && objects.last?["problems"] as? Int == 2)
        #expect(FileManager.default.fileExists(atPath: path))

        let repair = try await program.run("cache", "verify", "--repair", "--json")
        #expect(repair.status == 0)
        #expect(try repair.objects().last?["removed"] as? Int == 1)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(FileManager.default.fileExists(atPath: letter.path))
        #expect(try await program.run("cache", "verify", "-q").output.isEmpty)
    }

    @Test("what a killed program has left half written is told and removed, and is nothing wrong")
    func leftOver() async throws {
        try fill()
        let root = URL(filePath: program.cache.path).appending(path: "entries-3")
        let leftOver = root.appending(path: TemporaryName.make())
        try Data().write(to: leftOver)
        try FileManager.default.setAttributes(
            [.modificationDate: Date.fileTime(fromNow: -3600)], ofItemAtPath: leftOver.path)
        let run = try await program.run("cache", "verify", "--json")
        #expect(run.status == 0)
        #expect(try run.objects().compactMap { $0["problem"] as? String } == ["leftOver"])
        #expect(try await program.run("cache", "verify", "--repair").text.contains("left half written, removed"))
        #expect(!FileManager.default.fileExists(atPath: leftOver.path))
    }

    @Test("the index is saved when the command ends, and not meanwhile")
    func savedIndex() async throws {
        try fill()
        let snapshot = URL(filePath: program.cache.path).appending(path: "entries-3/snapshot")
        for _ in 0..<3 {
            try? FileManager.default.removeItem(at: snapshot)
            #expect(try await program.run("cache", "stats").status == 0)
            #expect(FileManager.default.fileExists(atPath: snapshot.path))
        }
    }

    @Test("keys with control characters reach no terminal, and no key is a path out of the cache")
    func hostileKeys() async throws {
        let key = CacheKey("../../\u{1B}[31m\u{202E}x\n")
        try cache.store(.sample(), for: key)
        let list = try await program.run("cache", "list")
        #expect(list.lines.count == 1 && !list.text.contains("\u{1B}") && !list.text.contains("\u{202E}"))
        let show = try await program.run("cache", "show", key.string)
        #expect(show.status == 0 && !show.text.contains("\u{1B}"))
        #expect(try await program.run("cache", "remove", "../../../etc/passwd").status == 1)
        #expect(try await program.run("cache", "remove", key.string).status == 0)
        #expect(try await program.run("cache", "stats", "--json").objects().first?["entries"] as? Int == 0)
    }

    @Test(
        "an unreadable cache is an error for each action",
        arguments: [["list"], ["show", "x"], ["remove", "x"], ["trim"], ["verify"]])
    func unreadable(arguments: [String]) async throws {
        try Data().write(to: program.file("file"))
        let run = try await program.run(["cache"] + arguments + ["--cache", "file"])
        #expect(run.status == 1 && run.output.isEmpty && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains("Not a directory"), "\(run.errors)")
    }

    @Test(
        "a wrong command line is one line with the mistake, and exit 2",
        arguments: [
            (["show"], "one key"), (["show", "a", "b"], "one key"), (["remove"], "keys"),
            (["list", "x"], "options only"),
            (["stats", "--repair"], "--repair"), (["list", "--size", "1MB"], "--size"),
            (["trim", "--sort", "key"], "--sort"),
            (["list", "--sort", "name"], "size, date or key"), (["trim", "--size", "1XB"], "500MB"),
            (["trim", "--size", "-1"], "500MB"), (["trim", "--age", "12"], "12h"),
            (["trim", "--count", "x"], "whole number"),
            (["burn"], "stats|list|show|remove|trim|clear|verify"),
        ])
    func usage(arguments: [String], words: String) async throws {
        let run = try await program.run(["cache"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
