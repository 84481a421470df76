import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import webimage_gallery

/// How much is read of what an address has.
@Suite(.timeLimit(.minutes(5))) struct WebDocumentTests {
    private let loader = SuspendedLoader()

    private func reading() throws -> (url: URL, task: Task<WebDocument.Outcome, Never>) {
        let url = try #require(URL(string: "http://host/page"))
        return (url, Task { [loader] in await WebDocument.read(url, by: loader) })
    }

    @Test("the load is cancelled with the task")
    func cancelled() async throws {
        let (url, task) = try reading()
        let load = try await loader.waitForLoad(of: url)
        task.cancel()
        try await load.waitForCancellation()
        await #expect(throws: SourceProblem.self) { try await task.value.get() }
    }

    @Test("a task that was cancelled before loads nothing")
    func cancelledBefore() async throws {
        let url = try #require(URL(string: "http://host/page"))
        let gate = Gate()
        let task = Task { [loader] in
            gate.waitBlocking()
            return await WebDocument.read(url, by: loader)
        }
        task.cancel()
        gate.open()
        await #expect(throws: SourceProblem.self) { try await task.value.get() }
        #expect(loader.loads.isEmpty)
    }

    @Test("more than the limit is not loaded, unless it is a picture")
    func limit() async throws {
        let (url, task) = try reading()
        let load = try await loader.waitForLoad(of: url)
        load.send(Data("<html>".utf8) + Data(count: 8 << 20))
        #expect(!load.isCancelled)
        load.send(Data(count: 8 << 20))
        #expect(load.isCancelled)
        let problem = SourceProblem(message: "http://host/page: this is no picture, and has more than 16 MB")
        await #expect(throws: problem) { try await task.value.get() }
    }

    @Test("the head of a picture is enough")
    func picture() async throws {
        let (url, task) = try reading()
        let load = try await loader.waitForLoad(of: url)
        load.send(Data([0xFF, 0xD8, 0xFF]) + Data(count: 100))
        #expect(!load.isCancelled)
        load.send(Data(count: 1000))
        #expect(load.isCancelled)
        guard case .success(.picture) = await task.value else {
            Issue.record("this is a picture")
            return
        }
    }

    @Test("a loader that has the bytes as a whole is heard at its end, also with a short picture")
    func whole() async throws {
        let (url, task) = try reading()
        let load = try await loader.waitForLoad(of: url)
        let other = try #require(URL(string: "http://host/other/"))
        load.finish(Data("a.jpg".utf8), http: HTTPResponse(url: other, statusCode: 200))
        guard case .success(.document(let data, at: let place)) = await task.value else {
            Issue.record("this is a list")
            return
        }
        #expect(data == Data("a.jpg".utf8))
        #expect(place == other)
    }
}
