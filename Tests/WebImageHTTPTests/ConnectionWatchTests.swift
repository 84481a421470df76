import Glibc
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("A connection that does not let libcurl go", .timeLimit(.minutes(5)))
struct ConnectionWatchTests {
    private static func connection(to origin: RawOrigin) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(origin.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        return descriptor
    }

    /// Reads until the connection has ended.
    private static func readAll(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }

    @Test("the one whose bytes have no end is shut down, and no other")
    func flood() throws {
        let flood = try RawOrigin([.repeatedly(String(repeating: "a", count: 1 << 16))])
        let quiet = try RawOrigin([.stall])
        let watch = ConnectionWatch(limit: .milliseconds(50), interval: .milliseconds(20))
        let (busy, idle) = (try Self.connection(to: flood), try Self.connection(to: quiet))
        for descriptor in [busy, idle] { watch.add(descriptor) }
        watch.during { Self.readAll(busy) }
        #expect(send(idle, "a", 1, CInt(MSG_NOSIGNAL)) == 1)
        // Once more: another call is watched like the first.
        #expect(watch.close(busy) == 0)
        let again = try Self.connection(to: flood)
        watch.add(again)
        watch.during { Self.readAll(again) }
        #expect(send(idle, "a", 1, CInt(MSG_NOSIGNAL)) == 1)
        for descriptor in [again, idle] { #expect(watch.close(descriptor) == 0) }
    }

    @Test("a server whose frames have no end stops no other load")
    func otherLoads() async throws {
        let flood = try RawOrigin([.receiveHTTP2Request, .send(.settings, .head()), .flood(.data(""))])
        let good = try RawOrigin([
            .receiveHTTP2Request, .send(.settings, .head(length: 1), .data("a", isLast: true)), .stall,
        ])
        let downloader = WebImageDownloader.direct { $0.assumesHTTP2 = true }
        let endless = RecordedLoad(flood.url(), by: downloader)
        try await flood.waitForHeads(1)
        #expect(try await RecordedLoad(good.url(), by: downloader).response.data.count == 1)
        endless.cancel()
        #expect(await endless.error != nil)
    }
}
