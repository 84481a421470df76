import FoundationEssentials
import Glibc
import WebImageTesting

/// The accepting thread of a ``RawOrigin``, and the threads of its connections.
struct RawAcceptor: Sendable {
    let listener: CInt
    let stopping: Gate
    let heads: Observed<[String]>
    let scripts: [[RawOrigin.Step]]

    /// Accepts until the origin stops, and joins the connections' threads before it returns.
    func run() {
        var connections: [JoinableThread] = []
        while waitForConnection() {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let script = scripts.dropFirst(connections.count).first ?? scripts.last ?? []
            if let thread = JoinableThread({ follow(script, on: descriptor) }) {
                connections.append(thread)
            } else {
                close(descriptor)
            }
        }
        for connection in connections { connection.join() }
    }

    private func waitForConnection() -> Bool {
        var watched = [
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&watched, nfds_t(watched.count), -1) < 0, errno == EINTR {}
        return watched[0].revents == 0
    }

    private func follow(_ script: [RawOrigin.Step], on descriptor: CInt) {
        let socket = ConnectionSocket(descriptor: descriptor, stopping: stopping)
        // Non-blocking, so that a client that does not read cannot keep the origin from stopping.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        for step in script where perform(step, on: socket) != nil { break }
        close(descriptor)
    }

    /// Returns why the script ends; nil when it continues.
    private func perform(_ step: RawOrigin.Step, on socket: ConnectionSocket) -> OriginEnding? {
        switch step {
        case .receiveHead: return receive(from: socket, until: \.endsHead)
        case .receive(let condition): return receive(from: socket, until: condition)
        case .send(let bytes): return socket.send(bytes)
        case .repeatedly(let bytes, let pause): return sendRepeatedly(bytes, pause, on: socket)
        case .drip(let bytes, let pause): return drip(bytes, pause, on: socket)
        case .pause(let duration): return socket.pause(for: duration)
        case .wait(let gate): return socket.wait(for: gate)
        case .stall: return socket.stall()
        case .reset:
            socket.reset()
            return .brokenOff
        }
    }

    private func sendRepeatedly(_ bytes: Data, _ pause: Duration, on socket: ConnectionSocket) -> OriginEnding {
        while true {
            if let ending = socket.pause(for: pause) ?? socket.send(bytes) { return ending }
        }
    }

    private func drip(_ bytes: Data, _ pause: Duration, on socket: ConnectionSocket) -> OriginEnding? {
        for byte in bytes {
            if let ending = socket.pause(for: pause) ?? socket.send(Data([byte])) { return ending }
        }
        return nil
    }

    private func receive(from socket: ConnectionSocket, until isWhole: (Data) -> Bool) -> OriginEnding? {
        var received = Data()
        while !isWhole(received) {
            let bytes = socket.receive()
            if bytes.isEmpty { break }
            received += bytes
        }
        let text = String(decoding: received, as: UTF8.self)
        guard !text.isEmpty else { return .clientLeft }
        heads.update { $0.append(text) }
        return nil
    }
}

extension Data {
    private static let headEnd = Data("\r\n\r\n".utf8)

    fileprivate var endsHead: Bool { suffix(Self.headEnd.count) == Self.headEnd }
}
