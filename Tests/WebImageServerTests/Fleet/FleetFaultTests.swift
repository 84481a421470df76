import Foundation
import Glibc
import Testing
import WebImage
import WebImageCore
import WebImageMemcached
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// A fleet whose parts die.
@Suite("Faults in a fleet", .timeLimit(.minutes(5)))
struct FleetFaultTests {
    /// A server in a process of its own.
    private final class Node: Sendable {
        let port: Int
        private let process: ChildProcess
        private let folder: URL

        init(_ memcached: Memcached) throws {
            port = try FreePort.find()
            folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
            process = try ChildProcess(
                Program.executable,
                [
                    "serve", "--quiet", "--allow-private", "--access-log", "off", "--turn-time", "1", "--listen",
                    "127.0.0.1:\(port)", "--cache", folder.path, "--memcached", "127.0.0.1:\(memcached.port)",
                ])
            while (try? HTTPClient(port: port)) == nil { poll(nil, 0, 5) }
        }

        deinit {
            kill()
            try? FileManager.default.removeItem(at: folder)
        }

        func kill() {
            Glibc.kill(process.identifier, SIGKILL)
            var status: Int32 = 0
            waitpid(process.identifier, &status, 0)
        }
    }

    @Test("a node that is killed while it makes a picture costs one more fetch, and no error at other nodes")
    func killed() async throws {
        let memcached = try Memcached()
        let origin = try LoopbackOrigin()
        let first = try Node(memcached)
        let others = [try Node(memcached), try Node(memcached)]
        let gate = Gate()
        let picture = OriginResponse.picture(try ServerPicture.data(64, 48))
        origin.serve("/a.jpg", picture.held(by: gate), picture)
        let target = "/unsafe/w:4/plain/\(origin.url("/a.jpg").absoluteString)"
        async let lost = try? HTTPClient.answer(port: first.port, target)
        try await origin.waitForRequests(1)
        first.kill()
        async let answers = withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { try await HTTPClient.answer(port: others[number % 2].port, target).status }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(try await answers == [Int](repeating: 200, count: 20))
        #expect(await lost == nil)
        gate.open()
        #expect(origin.requestCount("/a.jpg") == 2)
    }

    @Test("memcacheds that are killed, hung and full at random moments cost no error and no wrong picture")
    func randomFaults() async throws {
        var random = SeededGenerator(seed: 41)
        let origin = try LoopbackOrigin()
        // As many widths as there are sources: a picture of another source is seen by its size.
        for number in 1...40 {
            origin.serve("/\(number).png", .picture(try ServerPicture.data(number * 2, 8, as: .png)))
        }
        let memcacheds = [try Memcached(arguments: ["-m", "2"]), try Memcached(arguments: ["-m", "2"])]
        let nodes = try (0..<3).map { _ in
            try TestServer(origin: origin) {
                $0.memcached = memcacheds.map { MemcachedServer(host: "127.0.0.1", port: $0.port) }
                $0.turnTime = 1
            }
        }
        var killed: Set<Int> = []
        for round in 0..<24 {
            let fault = memcacheds[round % 2]
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !killed.contains(round % 2):
                // One that is stopped already does not stop again.
                fault.signal(SIGCONT)
                fault.stop()
            case 1 where round > 12:
                fault.signal(SIGKILL)
                killed.insert(round % 2)
            default: fault.signal(SIGCONT)
            }
            let numbers = (0..<30).map { _ in Int.random(in: 1...40, using: &random) }
            let wrong = try await withThrowingTaskGroup { group in
                for (place, number) in numbers.enumerated() {
                    group.addTask {
                        let answer = try await nodes[place % 3].answer("/rt:force/w:\(number)/h:4", "/\(number).png")
                        let size = answer.status == 200 ? try ServerPicture.size(answer) : nil
                        return size == PixelSize(width: number, height: 4) ? nil : "\(number): \(answer.status)"
                    }
                }
                return try await group.reduce(into: [String]()) { $0 += [$1].compactMap(\.self) }
            }
            #expect(wrong.isEmpty, "\(wrong)")
        }
        for memcached in memcacheds { memcached.signal(SIGCONT) }
    }
}
