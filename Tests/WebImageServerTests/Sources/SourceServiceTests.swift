import Foundation
import Testing
import WebImage
import WebImageCore
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// Sources as clients of a server meet them.
@Suite("Sources of a server", .timeLimit(.minutes(5)))
struct SourceServiceTests {
    /// A directory with one picture, which is removed after the test.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try write(8, 8)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ width: Int, _ height: Int) throws {
            try ServerPicture.data(width, height, as: .png).write(to: url.appending(path: "a b.png"))
        }
    }

    @Test("a file of the directory is served, and one that has changed is seen")
    func local() async throws {
        let folder = try Folder()
        let server = try TestServer { $0.localRoot = folder.url.path }
        let target = "/unsafe/w:4/plain/local:///a%20b.png"
        let first = try await server.answer(target)
        #expect(first.status == 200)
        #expect(try ServerPicture.size(first) == PixelSize(width: 4, height: 4))
        #expect(try await server.answer(target).body == first.body)
        #expect(try await server.metric("decodes_total") == 1)
        try folder.write(16, 8)
        #expect(try ServerPicture.size(try await server.answer(target)) == PixelSize(width: 4, height: 2))
    }

    @Test("nothing but the directory is served")
    func confined() async throws {
        let folder = try Folder()
        let root = folder.url.appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(path: "out.png").path, withDestinationPath: "../a b.png")
        let server = try TestServer { $0.localRoot = root.path }
        for path in ["missing.png", "../a%20b.png", "%252e%252e/a%20b.png", "out.png"] {
            let answer = try await server.answer("/unsafe/w:4/plain/local:///\(path)")
            #expect((400..<500).contains(answer.status), "\(path): \(answer.status)")
        }
        try FileManager.default.createDirectory(at: root.appending(path: "folder"), withIntermediateDirectories: true)
        #expect(try await server.answer("/unsafe/w:4/plain/local:///folder").status == 404)
        let without = try TestServer()
        #expect(try await without.answer("/unsafe/plain/local:///a%20b.png").status == 404)
    }

    @Test("an object of a store is served")
    func object() async throws {
        let store = try LoopbackOrigin()
        store.serve("/bucket/a%20b.png", .picture(try ServerPicture.data(8, 8, as: .png)))
        let server = try TestServer {
            $0.allowsS3 = true
            $0.s3Endpoint = store.url().absoluteString
            // The store is trusted, whatever its address.
            $0.allowsPrivate = false
        }
        #expect(try await server.answer("/unsafe/w:4/plain/s3://bucket/a%20b.png").status == 200)
        #expect(try await server.answer("/unsafe/w:4/plain/s3://bucket/missing.png").status == 404)
        #expect(try await server.answer("/unsafe/w:4/plain/s3://127.0.0.1:\(store.port)%3F/a").status == 400)
    }

    @Test(
        "services with other rights do not share what they have: of private addresses, of another key, of another store"
    )
    func rights() throws {
        let (web, object) = (URL(string: "http://a.b/c.jpg"), URL(string: "s3://bucket/c.jpg"))
        func keys(_ rules: SourceRules) throws -> [String] {
            [rules.key(of: try #require(web)).string, rules.key(of: try #require(object)).string]
        }
        let plain = try keys(SourceRules(s3: S3Settings()))
        let keyed = try keys(SourceRules(s3: S3Settings(accessKey: "AK", secret: "a")))
        let other = try keys(SourceRules(s3: S3Settings(endpoint: "https://store", accessKey: "AK", secret: "a")))
        let region = try keys(SourceRules(s3: S3Settings(region: "eu-west-1", accessKey: "AK", secret: "a")))
        let rotated = try keys(SourceRules(s3: S3Settings(accessKey: "AK", secret: "b")))
        #expect(Set([plain, keyed, other, region].map { $0[1] }).count == 4)
        #expect(keyed == rotated)
        #expect(Set([plain, keyed, other, region].map { $0[0] }) == ["http://a.b/c.jpg"])
        #expect(try keys(SourceRules(s3: S3Settings(), allowsPrivate: true))[0] != plain[0])
    }

    @Test("private addresses, and what is not among the prefixes, is not loaded")
    func refused() async throws {
        for change in [
            { (settings: inout PictureServerSettings) in settings.allowsPrivate = false },
            { (settings: inout PictureServerSettings) in settings.sources = ["http://127.0.0.1/", "https://127.0.0.1"]
            },
        ] {
            let server = try TestServer(change)
            server.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)))
            let status = try await server.answer("/w:4", "/a.png").status
            #expect((400..<500).contains(status), "\(status)")
            #expect(server.origin.connectionCount == 0)
        }
    }

    @Test("settings become rules, and those of the store come before the environment")
    func settings() throws {
        var settings = PictureServerSettings()
        settings.sources = ["https://a.b/"]
        settings.baseURL = "https://a.b/c/"
        settings.localRoot = "/srv"
        let environment = [
            "AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-west-1",
            "AWS_ENDPOINT_URL": "http://elsewhere",
        ]
        let rules = try SourceRules(settings, environment: environment)
        #expect(rules == (try SourceRules(prefixes: ["https://a.b/"], root: "/srv", baseURL: "https://a.b/c/")))
        settings.allowsS3 = true
        #expect(try SourceRules(settings, environment: environment).s3?.endpointAddress == "http://elsewhere")
        settings.s3Endpoint = "https://store"
        settings.s3Region = "eu-north-1"
        let store = try #require(try SourceRules(settings, environment: environment).s3)
        #expect(
            store.endpointAddress == "https://store" && store.region == "eu-north-1" && store.credential?.user == "AK")
        settings.sources = ["a.b"]
        #expect(throws: PictureServerError.self) { try SourceRules(settings, environment: environment) }
    }
}
