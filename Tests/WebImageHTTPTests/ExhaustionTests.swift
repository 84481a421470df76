import FoundationEssentials
import Glibc
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

/// Each in a process of its own, whose limits it lowers.
@Suite("A process at its limits", .timeLimit(.minutes(5)))
struct ExhaustionTests {
    /// All descriptors that the process may still open.
    struct Hoard {
        private var descriptors: [CInt] = []

        init() {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 200
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 {
                descriptors.append(descriptor)
            }
        }

        func release() { for descriptor in descriptors { close(descriptor) } }
    }

    @Test("a downloader that is made without a free file descriptor says so, ends at once, and works later")
    func noDescriptorAtStart() async {
        await #expect(processExitsWith: .success) {
            let origin = try LoopbackOrigin()
            origin.serve("/a", .text("x"))
            let downloader = WebImageDownloader.direct()
            let hoard = Hoard()
            let error = await RecordedLoad(origin.url("/a"), by: downloader).error
            // One that goes meanwhile is not waited for.
            _ = await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).error
            hoard.release()
            #expect(error?.code == .limitExceeded && error?.kind == .transient)
            #expect(error?.reason.contains("too many open files") == true)
            #expect(try await RecordedLoad(origin.url("/a"), by: downloader).response.data.count == 1)
        }
    }

    @Test("a connection that cannot be made for want of a file descriptor is not the server's fault")
    func noDescriptorForConnection() async {
        await #expect(processExitsWith: .success) {
            let (first, second) = (try LoopbackOrigin(), try LoopbackOrigin())
            for origin in [first, second] { origin.fallback = { _ in .text("x") } }
            let downloader = WebImageDownloader.direct()
            _ = try await RecordedLoad(first.url("/a"), by: downloader).response
            let hoard = Hoard()
            let error = await RecordedLoad(second.url("/a"), by: downloader).error
            let named = await RecordedLoad(second.url("/a", host: "localhost"), by: downloader).error
            // The connection that is there needs none.
            let reused = await RecordedLoad(first.url("/b"), by: downloader).error
            hoard.release()
            for error in [error, named] {
                #expect(error?.code == .limitExceeded && error?.kind == .transient)
                #expect(error?.reason.contains("too many open files") == true, "\(String(describing: error))")
            }
            #expect(reused == nil)
            #expect(try await RecordedLoad(second.url("/a"), by: downloader).response.data.count == 1)
        }
    }
}
