import Foundation
import Testing
import WebImageCore
import WebImageHTTP

@testable import WebImageTestDoubles

@Suite("Files", .timeLimit(.minutes(5)))
struct FileLoaderTests {
    private let loader = FileLoader()

    /// A directory that is removed after the test.
    private final class Directory {
        let url = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func file(_ name: String, _ content: Data) throws -> URL {
            let file = url.appending(path: name)
            try content.write(to: file)
            return file
        }
    }

    @Test("a file arrives whole", arguments: [1, 15, 4096, 5_000_000])
    func whole(count: Int) async throws {
        let directory = try Directory()
        let content = sampleBytes(count)
        let load = RecordedLoad(try directory.file("a.jpg", content), by: loader)
        let response = try await load.response
        #expect(response.data == content)
        #expect(response.http == nil)
        #expect(load.progress == [LoadProgress(receivedByteCount: count, expectedByteCount: count)])
        #expect(load.hasEndedOnce)
    }

    @Test("a file's name may have any characters", arguments: ["a b.jpg", "ä+%20.jpg", "100%.jpg", "a?b#c;d.jpg", "猫"])
    func names(name: String) async throws {
        let directory = try Directory()
        let url = try directory.file(name, Data("x".utf8))
        #expect(try await RecordedLoad(url, by: loader).response.data == Data("x".utf8))
    }

    @Test("a file's name need not be UTF-8")
    func bytesAsName() async throws {
        let directory = try Directory()
        let name = directory.url.path.utf8CString.dropLast() + [CChar(bitPattern: 0x2F), CChar(bitPattern: 0xFF), 0]
        let file = try #require(Array(name).withUnsafeBufferPointer { fopen($0.baseAddress, "w") })
        fputs("x", file)
        fclose(file)
        let url = try parsed("file://\(directory.url.path)/%FF")
        #expect(try await RecordedLoad(url, by: loader).response.data == Data("x".utf8))
    }

    @Test("localhost is this machine; another host is not")
    func hosts() async throws {
        let directory = try Directory()
        let path = try directory.file("a", Data("x".utf8)).path
        _ = try await RecordedLoad(try parsed("file://localhost\(path)"), by: loader).response
        let error = try #require(await RecordedLoad(try parsed("file://server\(path)"), by: loader).error)
        #expect(error.code == .invalidURL)
        #expect(error.reason.contains("server"))
    }

    @Test(
        "a file that is not there", arguments: ["missing.jpg", "file.jpg/inside", String(repeating: "a", count: 300)])
    func notFound(name: String) async throws {
        let directory = try Directory()
        _ = try directory.file("file.jpg", Data("x".utf8))
        let url = directory.url.appending(path: name)
        let error = try #require(await RecordedLoad(url, by: loader).error)
        #expect(error.code == .fileNotFound)
        #expect(error.kind == .permanent)
        #expect(error.url == url)
        #expect(!loader.shouldBlockFailedURL(url, error: error))
    }

    @Test("a file that may not be read", .enabled(if: getuid() != 0, "root may read everything"))
    func accessDenied() async throws {
        let directory = try Directory()
        let url = try directory.file("a", Data("x".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
        #expect(await RecordedLoad(url, by: loader).error?.code == .accessDenied)
    }

    @Test("a directory, a pipe and a device are no files, and no read waits for them")
    func notRegular() async throws {
        let directory = try Directory()
        let pipe = directory.url.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [directory.url, pipe, URL(filePath: "/dev/zero")] {
            #expect(await RecordedLoad(url, by: loader).error?.code == .fileFailed, "\(url)")
        }
        #expect(await RecordedLoad(directory.url, by: loader).error?.reason.contains("directory") == true)
    }

    @Test("an empty file is no picture")
    func empty() async throws {
        let directory = try Directory()
        let error = await RecordedLoad(try directory.file("a", Data()), by: loader).error
        #expect(error?.code == .badImageData)
    }

    @Test("a file over the limit is refused")
    func limit() async throws {
        let directory = try Directory()
        let url = try directory.file("a", sampleBytes(1001))
        let error = try #require(await RecordedLoad(url, by: FileLoader(maximumByteCount: 1000)).error)
        #expect(error.code == .limitExceeded && error.kind == .policy)
        #expect(error.reason.contains("1001") && error.reason.contains("maximumByteCount"))
        #expect(try await RecordedLoad(url, by: FileLoader(maximumByteCount: 1001)).response.data.count == 1001)
    }

    @Test("a file that does not know its length is read to its end")
    func lengthless() async throws {
        let data = try await RecordedLoad(URL(filePath: "/proc/self/status"), by: loader).response.data
        #expect(String(decoding: data, as: UTF8.self).contains("VmRSS"))
    }

    @Test("an address with a wrong encoding, or without a name", arguments: ["file:///a%00b", "file:///", "file:"])
    func badAddress(address: String) async throws {
        #expect(await RecordedLoad(try parsed(address), by: loader).error?.code == .invalidURL)
    }

    @Test("a cancelled load ends once: as cancelled, unless its bytes were read already")
    func cancel() async throws {
        let directory = try Directory()
        let url = try directory.file("a", sampleBytes(100_000))
        let loads = (0..<200).map { _ in RecordedLoad(url, by: loader) }
        loads.forEach { $0.cancel() }
        for load in loads {
            let error = await load.error
            #expect(error == nil || error?.code == .cancelled)
            #expect(error == nil || error?.url == url)
        }
        #expect(loads.allHaveEndedOnce)
    }
}
