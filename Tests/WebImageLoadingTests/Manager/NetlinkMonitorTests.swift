import Glibc
import Testing
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestLoads

@Suite("Hearing that the network is back", .timeLimit(.minutes(5)))
struct NetlinkMonitorTests {
    /// RTM_NEWADDR, RTM_NEWROUTE, and two others: RTM_DELADDR, RTM_NEWLINK.
    private static let (newAddress, newRoute, deletedAddress, newLink) = (20, 24, 21, 16)

    /// A message as the kernel writes it, with `byteCount` bytes behind its head.
    private static func message(_ type: Int, byteCount: Int = 8, length: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt32(length ?? 16 + byteCount)) { bytes += $0 }
        withUnsafeBytes(of: UInt16(type)) { bytes += $0 }
        bytes += [UInt8](repeating: 0, count: 10 + byteCount)
        while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
        return bytes
    }

    private static func tellsOfArrival(_ bytes: [UInt8]) -> Bool { NetlinkMessages(bytes[...]).tellOfArrival }

    // MARK: Messages

    @Test("an address or a route that was added is an arrival, wherever it stands, and nothing else is")
    func messages() {
        let others = Self.message(Self.deletedAddress) + Self.message(Self.newLink, byteCount: 13)
        #expect(Self.tellsOfArrival(Self.message(Self.newAddress)))
        #expect(Self.tellsOfArrival(Self.message(Self.newRoute, byteCount: 0)))
        #expect(Self.tellsOfArrival(others + Self.message(Self.newRoute)))
        #expect(!Self.tellsOfArrival(others))
        #expect(!Self.tellsOfArrival([]))
        #expect(NetlinkMessages((others + Self.message(Self.newAddress))[others.count...]).tellOfArrival)
    }

    @Test("a message that is cut off, or whose length is impossible, ends the reading", arguments: [0, 15, 1000, .max])
    func badLength(length: Int) {
        let bad = Self.message(Self.newAddress, length: Int(UInt32(clamping: length)))
        #expect(!Self.tellsOfArrival(bad))
        #expect(!Self.tellsOfArrival(bad + Self.message(Self.newAddress)))
        let whole = Self.message(Self.newAddress)
        for count in 0..<whole.count { #expect(!Self.tellsOfArrival(Array(whole.prefix(count)))) }
    }

    @Test("random bytes, and messages with random changes, are read to their end")
    func randomBytes() {
        var generator = SeededGenerator(seed: 11)
        let usual = [Self.deletedAddress, Self.newLink, Self.deletedAddress].flatMap { Self.message($0) }
        for round in 0..<20_000 {
            var bytes =
                round.isMultiple(of: 2)
                ? usual
                : (0..<120).map { _ in UInt8.random(in: 0...255, using: &generator) }
            for _ in 0..<2 where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = Self.tellsOfArrival(bytes.dropLast(Int.random(in: 0...min(3, bytes.count), using: &generator)))
        }
    }

    // MARK: The monitor

    /// A monitor that hears from the test in place of the kernel.
    private final class Kernel: Sendable {
        /// The test's ends of the sockets that were opened.
        let sockets = Observed<[CInt]>([])

        func open() -> CInt {
            var ends: [CInt] = [-1, -1]
            let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue)
            guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return -1 }
            let own = ends[1]
            sockets.update { $0.append(own) }
            return ends[0]
        }

        func send(_ message: [UInt8]) {
            guard let socket = sockets.value.last else { return }
            _ = Glibc.send(socket, message, message.count, CInt(MSG_NOSIGNAL))
        }

        deinit { for socket in sockets.value { close(socket) } }
    }

    @Test("tasks that wait go on when an address is added, and the next one waits for news of its own")
    func arrival() async throws {
        let kernel = Kernel()
        let monitor = NetlinkMonitor { kernel.open() }
        let ended = Observed(0)
        let tasks = (0..<3).map { _ in
            Task {
                await monitor.waitForReturn()
                ended.update { $0 += 1 }
            }
        }
        try await kernel.sockets.wait { $0.count == 1 }
        kernel.send(Self.message(Self.deletedAddress))
        kernel.send(Self.message(Self.newLink))
        // A task that begins late waits for the same news, or for the next.
        while ended.value < 3 {
            kernel.send(Self.message(Self.newAddress))
            await Task.yield()
        }
        for task in tasks { await task.value }
        let socketCount = kernel.sockets.value.count
        let later = Task { await monitor.waitForReturn() }
        try await kernel.sockets.wait { $0.count == socketCount + 1 }
        kernel.send(Self.message(Self.newRoute))
        await later.value
    }

    @Test("a cancelled task goes on, and the last one that leaves closes the socket")
    func cancellation() async throws {
        let kernel = Kernel()
        let monitor = NetlinkMonitor { kernel.open() }
        let task = Task { await monitor.waitForReturn() }
        try await kernel.sockets.wait { $0.count == 1 }
        task.cancel()
        await task.value
        // No bytes without an error: the other end is closed.
        var byte: UInt8 = 0
        while recv(kernel.sockets.value[0], &byte, 1, 0) != 0 { await Task.yield() }
        await Task { await monitor.waitForReturn() }.cancelled()
    }

    @Test("without a socket a task waits for its cancellation")
    func noSocket() async {
        let monitor = NetlinkMonitor { -1 }
        await Task { await monitor.waitForReturn() }.cancelled()
    }

    @Test("the kernel's own socket opens, and closes with the cancellation")
    func kernelSocket() async {
        _ = NetlinkMonitor.shared.isAvailable
        await Task { await NetlinkMonitor.shared.waitForReturn() }.cancelled()
    }

    @Test("the system's monitor asks the one that it is told to")
    func systemMonitor() async throws {
        let (first, second) = (ScriptedNetwork(), ScriptedNetwork())
        let system = SystemNetworkMonitor(first)
        second.goAway()
        #expect(system.isAvailable)
        system.use(second)
        #expect(!system.isAvailable)
        let task = Task { await system.waitForReturn() }
        try await second.waitForWaiters(1)
        second.comeBack()
        await task.value
        #expect(first.waiterCount == 0)
    }
}

extension Task where Success == Void, Failure == Never {
    /// Returns when the task has ended after its cancellation.
    fileprivate func cancelled() async {
        cancel()
        await value
    }
}
