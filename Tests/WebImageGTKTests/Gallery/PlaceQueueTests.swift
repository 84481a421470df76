import Foundation
import Testing
import WebImageTesting

@testable import webimage_gallery

/// Reading that may block.
@Suite(.timeLimit(.minutes(5))) struct PlaceQueueTests {
    @Test("a place that does not answer keeps no other one waiting")
    func blocked() async throws {
        let queue = PlaceQueue()
        let (gate, started) = (Gate(), Gate())
        let dead = Task {
            await queue.run { _ throws(SourceProblem) in
                started.open()
                gate.waitBlocking()
            }
        }
        try await started.wait()
        for number in 0..<20 {
            #expect(await queue.run { _ throws(SourceProblem) in number } == .success(number))
        }
        gate.open()
        _ = await dead.value
    }

    @Test("the calls of a task are cancelled with it")
    func cancelled() async throws {
        let started = Gate()
        let task = Task {
            await PlaceQueue().run { cancellable throws(SourceProblem) in
                started.open()
                while !cancellable.isCancelled { sched_yield() }
                return try PlaceFile(uri: "file:///", cancellable).facts().isFolder
            }
        }
        try await started.wait()
        task.cancel()
        guard case .failure = await task.value else {
            Issue.record("GIO was not told")
            return
        }
    }

    /// Counts what is asked of it.
    private final class Mounter: PlaceMounter {
        let problem: SourceProblem?
        let mounted = Recorder<String>()

        init(_ problem: SourceProblem? = nil) { self.problem = problem }

        func mount(_ uri: String) async throws(SourceProblem) {
            mounted.append(uri)
            if let problem { throw problem }
        }
    }

    private func read(_ mounter: Mounter?) async throws -> FoundPictures {
        let source = try #require(PictureSource("sftp://host/pictures"))
        let picture = FoundPicture(url: URL(filePath: "/a.jpg"))
        let reader = SourceReader(mounter: mounter) { _, _ throws(SourceProblem) in
            guard mounter?.mounted.values.isEmpty == false else {
                throw SourceProblem(message: "it is not mounted", isUnmounted: true)
            }
            return FoundPictures(pictures: [picture])
        }
        return await reader.read([source])
    }

    @Test("a place that is not mounted is mounted, and read then")
    func mounting() async throws {
        let mounter = Mounter()
        let found = try await read(mounter)
        #expect(found.pictures.map(\.url.path) == ["/a.jpg"])
        #expect(mounter.mounted.values == ["sftp://host/pictures"])
    }

    @Test("why a place was not mounted is said with its name; without a mounter, that it is not mounted")
    func notMounting() async throws {
        let refused = try await read(Mounter(SourceProblem(message: "the password is wrong")))
        #expect(refused.complaints == ["sftp://host/pictures: the password is wrong"])
        #expect(try await read(nil).complaints == ["sftp://host/pictures: it is not mounted"])
    }

    @Test("one question for each server, device and share")
    func servers() {
        let server = VolumeMounter.server
        #expect(server("sftp://ada@host:22/a/b.jpg") == server("sftp://ada@host:22"))
        #expect(server("sftp://host/a") != server("sftp://other/a"))
        #expect(server("smb://host/share/a.jpg") == server("smb://host/share/b/c.jpg"))
        #expect(server("smb://host/share/a.jpg") != server("smb://host/pictures/a.jpg"))
        #expect(server("gphoto2://[usb:001,004]/a.jpg") != server("gphoto2://[usb:001,005]/a.jpg"))
    }
}
