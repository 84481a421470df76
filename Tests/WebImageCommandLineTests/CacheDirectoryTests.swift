import Foundation
import Glibc
import Testing
import WebImage
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: directories of caches", .timeLimit(.minutes(5)))
struct CacheDirectoryTests {
    private let program: Program
    private let origin: LoopbackOrigin
    private let photo: Data

    init() throws {
        program = try Program()
        origin = try LoopbackOrigin()
        photo = try Fixtures.data("photo.jpg")
        for name in ["a", "b", "c"] { origin.serve("/\(name).jpg", .picture(photo)) }
    }

    private func address(_ name: String) -> String { origin.url("/\(name).jpg").absoluteString }

    /// A cache with one picture and without write permission.
    private func readOnlyCache() async throws -> ReadOnlyCache {
        let cache = try ReadOnlyCache()
        let run = try await program.run("load", address("a"), "--cache", cache.path)
        try #require(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        try cache.makeReadOnly()
        return cache
    }

    @Test("a read-only cache serves its pictures")
    func served() async throws {
        let cache = try await readOnlyCache()
        let run = try await program.run("load", address("a"), "--cache", cache.path, "-o", "a.jpg", "--json")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try run.objects().first?["source"] as? String == "disk")
        #expect(try Data(contentsOf: program.file("a.jpg")) == photo)
        let thumbnail = try await program.run(
            "load", address("a"), "--cache", cache.path, "--thumbnail", "20x20", "--json")
        #expect(thumbnail.status == 0 && thumbnail.errors.isEmpty, "\(thumbnail.errors)")
        #expect(origin.requests.count == 1)
    }

    @Test("a read-only cache lets other pictures load, with one warning that they are not kept")
    func loaded() async throws {
        let cache = try await readOnlyCache()
        let run = try await program.run(
            "load", address("b"), address("a"), address("c"), "--cache", cache.path, "--json")
        #expect(run.status == 0 && run.lines.count == 3)
        let sources = try run.objects().compactMap { $0["source"] as? String }
        #expect(sources.sorted() == ["disk", "network", "network"])
        #expect(run.errorLines.count == 1 && run.errors.hasPrefix("webimage: warning: "), "\(run.errors)")
        #expect(run.errors.contains("not kept") && run.errors.contains(cache.refusal), "\(run.errors)")
        #expect(run.errors.contains(cache.path))
    }

    @Test("a read-only cache is listed, counted and shown; nothing is removed from it")
    func looking() async throws {
        let directory = try await readOnlyCache()
        let cache = ["--cache", directory.path, "--json"]
        let list = try await program.run(["cache", "list"] + cache)
        #expect(list.status == 0 && list.errors.isEmpty, "\(list.errors)")
        #expect(try list.objects().first?["key"] as? String == address("a"))
        let stats = try await program.run(["cache", "stats"] + cache)
        #expect(stats.status == 0 && stats.errors.isEmpty, "\(stats.errors)")
        #expect(try stats.objects().first?["entries"] as? Int == 1)
        let show = try await program.run(["cache", "show", address("a")] + cache)
        #expect(show.status == 0 && show.errors.isEmpty, "\(show.errors)")
        #expect(try show.objects().first?["bytes"] as? Int == photo.count)
        let verify = try await program.run(["cache", "verify"] + cache)
        #expect(verify.status == 0 && verify.errors.isEmpty, "\(verify.errors)")
        for action in [["remove", address("a")], ["clear"], ["trim", "--count", "0"]] {
            let run = try await program.run(["cache"] + action + cache)
            #expect(run.status == 1 && run.errorLines.count == 1, "\(action): \(run.errors)")
            #expect(run.errors.contains(directory.refusal), "\(action): \(run.errors)")
        }
    }

    @Test("a load leaves its index saved, and nothing half written")
    func saved() async throws {
        for number in 0..<5 {
            let run = try await program.run("load", address("a"), "--cache", "cache\(number)")
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: program.file("cache\(number)/entries-3").path)
            #expect(names.contains("snapshot") && !names.contains(where: TemporaryName.matches), "\(names)")
        }
    }

    @Test("directories created for a cache are for this user only")
    func made() async throws {
        let run = try await program.run(
            script: "umask 0; exec \"$0\" load \"$1\" --cache x/y/cache -o out/", address("a"))
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        for name in ["x", "x/y", "x/y/cache", "x/y/cache/entries-3"] {
            #expect(try mode(of: name) == 0o700, "\(name)")
        }
        #expect(try mode(of: "out") == 0o777)
    }

    private func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: program.file(name).path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test(
        "a cache directory of another user is used, with a warning",
        .enabled(if: getuid() == 0, "only root can give a directory to another user"))
    func foreign() async throws {
        let cache = program.file("shared").path
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        try #require(chown(cache, 65_534, 65_534) == 0)
        let load = try await program.run("load", address("a"), address("b"), "--cache", cache)
        #expect(load.status == 0 && load.lines.count == 2)
        let stats = try await program.run("cache", "stats", "--cache", cache, "--json")
        #expect(try stats.status == 0 && stats.objects().first?["entries"] as? Int == 2)
        for run in [load, stats] {
            #expect(run.errorLines.count == 1 && run.errors.hasPrefix("webimage: warning: "), "\(run.errors)")
            #expect(run.errors.contains("another user (65534)"), "\(run.errors)")
        }
    }
}

/// A directory that loses its write permission: for root, who may write everywhere, a read-only disk.
private final class ReadOnlyCache {
    private let disk: SmallDisk?
    private let directory: CacheDirectory

    /// The system's words for a refused write.
    let refusal: String

    init() throws {
        disk = getuid() == 0 ? try SmallDisk(byteCount: 1 << 20) : nil
        directory = try disk?.directory ?? CacheDirectory()
        refusal = disk == nil ? "Permission denied" : "Read-only file system"
    }

    var path: String { directory.path }

    func makeReadOnly() throws {
        if let disk { return try disk.makeReadOnly() }
        try directory.setPermissions(directories: 0o500, files: 0o400)
    }

    deinit { if disk == nil { try? directory.setPermissions(directories: 0o700, files: 0o600) } }
}
