import Foundation
import Testing
import WebImageCore
import WebImageHTTP

@testable import WebImageServer
@testable import WebImageTestDoubles

@Suite("The directory of a service", .timeLimit(.minutes(5)))
struct DirectoryLoaderTests {
    /// `root` with pictures, and a secret beside it; removed after the test.
    private final class Place {
        let url = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")
        var root: URL { url.appending(path: "root") }

        init() throws {
            try FileManager.default.createDirectory(
                at: root.appending(path: "folder"), withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                at: url.appending(path: "root-of-another"), withIntermediateDirectories: true)
            for name in ["secret", "root-of-another/secret"] { try write(name, "secret") }
            for name in ["root/a.jpg", "root/folder/b c+%.jpg", "root/folder/ä#?.jpg"] { try write(name, "picture") }
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: url.appending(path: name)) }

        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: url.appending(path: name).path, withDestinationPath: target)
        }

        func loader(_ way: RootFolder.Way?, limit: Int = 1000) -> DirectoryLoader {
            DirectoryLoader(root: RootFolder(path: root.path, way: way), maximumByteCount: limit)
        }
    }

    static let ways: [RootFolder.Way] = [.kernel, .names]

    @Test(
        "a file below the directory arrives, its name decoded once", arguments: ways,
        [
            "a.jpg", "/a.jpg", "./folder/../a.jpg".replacing("folder/../", with: ""), "folder//b%20c+%25.jpg",
            "folder/%C3%A4%23%3F.jpg",
        ])
    func files(way: RootFolder.Way, path: String) async throws {
        let place = try Place()
        let load = RecordedLoad(try parsed("local:///\(path)"), by: place.loader(way))
        #expect(try await load.response.data == Data("picture".utf8))
        #expect(load.hasEndedOnce)
    }

    @Test(
        "nothing leads out of the directory", arguments: ways,
        [
            "../secret", "folder/../../secret", "%2e%2e/secret", "..%2fsecret", "folder%2f..%2f..%2fsecret",
            "../root-of-another/secret", "out", "out-folder/secret", "absolute", "chain", "folder/up/secret",
            "proc/self/environ",
            "self/root/etc/passwd", "etc/passwd",
        ])
    func escapes(way: RootFolder.Way, path: String) async throws {
        let place = try Place()
        try place.link("root/out", to: "../secret")
        try place.link("root/out-folder", to: "..")
        try place.link("root/absolute", to: place.url.appending(path: "secret").path)
        try place.link("root/chain", to: "out")
        try place.link("root/folder/up", to: "../..")
        try place.link("root/self", to: "/proc/self")
        try place.link("root/proc", to: "/proc")
        let load = RecordedLoad(try parsed("local:///\(path)"), by: place.loader(way))
        let error = try #require(await load.error)
        #expect(error.code == .accessDenied || error.code == .fileNotFound, "\(error)")
        #expect(load.reportedData.isEmpty)
    }

    @Test("a link that stays below the directory is followed by the kernel, and by no other way")
    func linksWithin() async throws {
        let place = try Place()
        try place.link("root/folder/in", to: "../a.jpg")
        let url = try parsed("local:///folder/in")
        #expect(try await RecordedLoad(url, by: place.loader(.kernel)).response.data == Data("picture".utf8))
        #expect(await RecordedLoad(url, by: place.loader(.names)).error?.code == .accessDenied)
    }

    @Test("the directory itself may be a link, which is followed anew for each load")
    func rootIsLink() async throws {
        let place = try Place()
        try place.link("current", to: "root")
        let loader = DirectoryLoader(
            root: RootFolder(path: place.url.appending(path: "current").path), maximumByteCount: 1000)
        let url = try parsed("local:///a.jpg")
        #expect(try await RecordedLoad(url, by: loader).response.data == Data("picture".utf8))
        try FileManager.default.removeItem(at: place.url.appending(path: "current"))
        try place.write("root-of-another/a.jpg", "new")
        #expect(await RecordedLoad(url, by: loader).error?.code == .fileFailed)
        try place.link("current", to: "root-of-another")
        #expect(try await RecordedLoad(url, by: loader).response.data == Data("new".utf8))
    }

    @Test("what is no regular file, or is too large, is refused, and no load waits for it", arguments: ways)
    func others(way: RootFolder.Way) async throws {
        let place = try Place()
        #expect(mkfifo(place.root.appending(path: "pipe").path, 0o600) == 0)
        try place.write("root/large", String(repeating: "x", count: 1001))
        try place.write("root/empty", "")
        let codes: [(String, WebImageError.Code)] = [
            ("pipe", .fileFailed), ("folder", .fileFailed), ("large", .limitExceeded), ("missing", .fileNotFound),
            ("a.jpg/b", .fileNotFound), ("empty", .badImageData), (String(repeating: "a", count: 300), .fileNotFound),
        ]
        for (name, code) in codes {
            let error = await RecordedLoad(try parsed("local:///\(name)"), by: place.loader(way)).error
            #expect(error?.code == code, "\(name): \(String(describing: error))")
        }
        #expect(await RecordedLoad(try parsed("local://host/a.jpg"), by: place.loader(way)).error?.code == .invalidURL)
        #expect(await RecordedLoad(try parsed("local:///a%00"), by: place.loader(way)).error?.code == .invalidURL)
    }

    @Test("a device is no file", .enabled(if: getuid() == 0, "only root makes devices"), arguments: ways)
    func device(way: RootFolder.Way) async throws {
        let place = try Place()
        // The device of /dev/zero, 1:5.
        guard mknod(place.root.appending(path: "zero").path, S_IFCHR | 0o600, 1 << 8 | 5) == 0 else { return }
        let error = try #require(await RecordedLoad(try parsed("local:///zero"), by: place.loader(way)).error)
        #expect([.fileFailed, .accessDenied].contains(error.code), "\(error)")
    }

    @Test("a response has a validator, and a file that has not changed is not read again")
    func validators() async throws {
        let place = try Place()
        let loader = place.loader(nil)
        let url = try parsed("local:///a.jpg")
        let response = try await RecordedLoad(url, by: loader).response
        let head = try #require(response.http)
        let tag = try #require(head.header("etag"))
        #expect(head.statusCode == 200 && head.url == url && head.header("cache-control") == "no-cache")
        #expect(head.header("content-length") == "7" && head.header("last-modified")?.hasSuffix(" GMT") == true)
        #expect(response.file?.isCurrent == true)
        var request = ImageLoadRequest(url: url)
        request.validators = ["If-None-Match": tag]
        let error = try #require(await RecordedLoad(request, by: loader).error)
        #expect(error.code == .cacheNotModified && error.statusCode == 304 && error.response?.header("etag") == tag)
        try place.write("root/a.jpg", "another")
        #expect(response.file?.isCurrent == false)
        #expect(try await RecordedLoad(request, by: loader).response.data == Data("another".utf8))
    }

    @Test("equal files on two machines have one validator")
    func tagOfFleet() async throws {
        let (first, second) = (try Place(), try Place())
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        var tags: Set<String?> = []
        for place in [first, second] {
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: place.root.appending(path: "a.jpg").path)
            tags.insert(
                try await RecordedLoad(try parsed("local:///a.jpg"), by: place.loader(nil)).response.http?.header(
                    "etag"))
        }
        #expect(tags.count == 1 && tags.first != nil)
    }

    @Test("bytes are told as they arrive where a load wants them")
    func parts() async throws {
        let place = try Place()
        var request = ImageLoadRequest(url: try parsed("local:///a.jpg"))
        request.reportsData = true
        let load = RecordedLoad(request, by: place.loader(nil))
        _ = try await load.response
        #expect(load.reportedData == Data("picture".utf8))
    }
}
