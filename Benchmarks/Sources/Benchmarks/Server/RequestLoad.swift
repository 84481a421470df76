import FoundationEssentials
import Glibc
import Synchronization

/// Requests to a server on this machine over connections that stay open, a thread for each.
struct RequestLoad: Sendable {
    let port: UInt16
    let connectionCount: Int
    /// Requests a second, sent at their times whatever the answers take; nil for each as soon as its connection is free.
    var rate: Double?
    let seconds: Double
    /// The target of a request by its number.
    let target: @Sendable (Int) -> String

    struct Outcome: Sendable {
        /// Seconds from the time at which a request was to be sent until its answer, in order, by status; 0 for none.
        var times: [Int: [Double]] = [:]
        var elapsed = 0.0

        func count(_ status: Int) -> Int { times[status]?.count ?? 0 }

        /// Milliseconds that a part of the answers did not take longer than.
        func milliseconds(_ part: Double, _ status: Int = 200) -> Double {
            guard let times = times[status], !times.isEmpty else { return .nan }
            return times[min(times.count - 1, Int(Double(times.count) * part))] * 1000
        }

        /// Answers a second.
        func rate(_ status: Int = 200) -> Double { Double(count(status)) / elapsed }
    }

    func run() throws -> Outcome {
        let connections = LoadConnections(load: self)
        let threads = (0..<connectionCount).map { _ in WorkThread { connections.run() } }
        for thread in threads { thread.join() }
        return try connections.outcome()
    }
}

/// The part of a load that its threads share.
private final class LoadConnections: Sendable {
    private let load: RequestLoad
    private let start = ContinuousClock.now
    private let next = Atomic(0)
    private let times = Mutex<[Int: [Double]]>([:])

    init(load: RequestLoad) { self.load = load }

    func outcome() throws -> RequestLoad.Outcome {
        var outcome = RequestLoad.Outcome(times: times.withLock { $0 }.mapValues { $0.sorted() })
        outcome.elapsed = (ContinuousClock.now - start).seconds
        guard outcome.count(0) == 0 else { throw BenchmarkError("\(outcome.count(0)) requests got no answer") }
        return outcome
    }

    func run() {
        let times = measured()
        self.times.withLock { $0.merge(times, uniquingKeysWith: +) }
    }

    private func measured() -> [Int: [Double]] {
        var times: [Int: [Double]] = [:]
        var connection = LoadConnection(load.port)
        let end = start + .seconds(load.seconds)
        while ContinuousClock.now < end {
            let number = next.add(1, ordering: .relaxed).oldValue
            let due = load.rate.map { start + .seconds(Double(number) / $0) }
            if let due, due >= end { break }
            if let wait = due.map({ (ContinuousClock.now.duration(to: $0)).seconds }), wait > 0 {
                usleep(UInt32(wait * 1e6))
            }
            let begin = due ?? .now
            let status = connection.status(of: load.target(number))
            times[status, default: []].append((ContinuousClock.now - begin).seconds)
            if connection.isClosed { connection = LoadConnection(load.port) }
        }
        return times
    }
}

/// A connection of one thread.
private final class LoadConnection {
    private let socket: CInt
    private(set) var isClosed = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        isClosed = code != 0
    }

    deinit { close(socket) }

    /// The status of the answer, all of which is read; 0 for none.
    func status(of target: String) -> Int {
        let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        guard !isClosed, send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            isClosed = true
            return 0
        }
        var head: [UInt8] = []
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else {
                isClosed = true
                return 0
            }
            head += buffer[..<count]
            if let end = head.firstRange(of: [13, 10, 13, 10]) { return finish(head, end.upperBound) }
        }
    }

    private func finish(_ bytes: [UInt8], _ bodyStart: Int) -> Int {
        let text = String(decoding: bytes[..<bodyStart], as: UTF8.self).lowercased()
        let length = text.firstRange(of: "content-length: ").flatMap {
            Int(text[$0.upperBound...].prefix(while: \.isNumber))
        }
        var rest = (length ?? 0) - (bytes.count - bodyStart)
        while rest > 0 {
            let count = recv(socket, &buffer, min(rest, buffer.count), 0)
            guard count > 0 else {
                isClosed = true
                return 0
            }
            rest -= count
        }
        if text.contains("connection: close") { isClosed = true }
        return Int(text.dropFirst("http/1.1 ".count).prefix(3)) ?? 0
    }
}

extension RequestLoad {
    /// Waits until a server takes connections, for ten seconds at most.
    static func awaitServer(_ port: UInt16) throws {
        for _ in 0..<1000 {
            if !LoadConnection(port).isClosed { return }
            usleep(10_000)
        }
        throw BenchmarkError("nothing listens at port \(port)")
    }

    /// Writes the body of an answer to a file.
    static func save(_ port: UInt16, _ target: String, to path: String) throws {
        try Child.run("curl", ["-sf", "-o", path, "http://127.0.0.1:\(port)\(target)"])
    }
}
