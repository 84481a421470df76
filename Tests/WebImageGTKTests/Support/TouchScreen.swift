import CGtk4
import Foundation
import Synchronization
import XCTest

/// Fingers on a display. The X servers that tests have know none; GDK's Broadway server does, and this speaks to it as a
/// web browser does (gdk/broadway in GTK's source: `broadway-protocol.h`, `broadway.js`).
final class TouchScreen: Sendable {
    /// A client of the server on this port; its display has 1024 × 768 points.
    init(port: Int) throws {
        socket = try Self.connect(port)
        let request = """
            GET /socket HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Origin: http://127.0.0.1:\(port)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: d2ViaW1hZ2UgdG91Y2hlcw==\r
            Sec-WebSocket-Protocol: broadway\r
            Sec-WebSocket-Version: 13\r
            \r

            """
        write(Array(request.utf8))
        var answer: [UInt8] = []
        while !answer.ends(with: Array("\r\n\r\n".utf8)) { answer += try read(1) }
        send(.screenSizeChanged, [0, 1024, 768, 1])
        Thread { [self] in while answerMessage() {} }.start()
    }

    deinit { close(socket) }

    private let socket: Int32
    /// The window that was shown last.
    private let window = Mutex<UInt32>(0)

    var hasWindow: Bool { window.withLock { $0 != 0 } }

    enum Phase: UInt32 {
        case begin, update, end
    }

    /// - Parameters:
    ///   - finger: Fingers that are down together have different numbers; the first one is 1.
    ///   - time: In milliseconds; from 1.
    func touch(_ phase: Phase, finger: UInt32 = 1, x: Int, y: Int, at time: UInt32) {
        let window = window.withLock { $0 }
        let isEmulated: UInt32 = finger == 1 ? 1 : 0
        let place = [x, y, x, y].map { UInt32(bitPattern: Int32($0)) }
        send(.touch, [time, phase.rawValue, window, finger, isEmulated] + place + [0])
    }

    // MARK: The protocol

    private enum Event: UInt32 {
        case touch = 5
        case screenSizeChanged = 12
        case roundtripNotify = 14
    }

    /// - Parameter words: The time, and what the event has.
    private func send(_ event: Event, serial: UInt32 = 0, _ words: [UInt32]) {
        let payload = ([event.rawValue, serial] + words).flatMap { word in
            withUnsafeBytes(of: word.bigEndian, Array.init)
        }
        // A final binary frame with a mask of zeros (RFC 6455, section 5.2).
        write([0x82, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload)
    }

    /// Reads a frame of operations. GTK draws its next frame when the last one is confirmed.
    private func answerMessage() -> Bool {
        guard let head = try? read(2) else { return false }
        var length = Int(head[1] & 127)
        let extra = length == 126 ? 2 : length == 127 ? 8 : 0
        guard let long = try? read(extra) else { return false }
        if extra > 0 { length = long.reduce(0) { $0 << 8 | Int($1) } }
        guard let payload = try? read(length) else { return false }
        var operations = BroadwayOperations(payload)
        while let operation = operations.next() {
            switch operation {
            case .show(let shown): window.withLock { $0 = shown }
            case .roundtrip(let serial, let id, let tag): send(.roundtripNotify, serial: serial, [0, id, tag])
            case .other: break
            }
        }
        return true
    }

    // MARK: The socket

    private static func connect(_ port: Int) throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
        return descriptor
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let received = recv(socket, &buffer, buffer.count, 0)
            guard received > 0 else { throw POSIXError(.ECONNRESET) }
            bytes += buffer.prefix(received)
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}

/// The operations that a Broadway server sends to its browser, one after the other.
private struct BroadwayOperations {
    enum Operation {
        case show(UInt32)
        case roundtrip(serial: UInt32, id: UInt32, tag: UInt32)
        case other
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Little-endian.
    private mutating func number(_ size: Int) -> UInt32 {
        defer { position += size }
        guard position + size <= bytes.count else { return 0 }
        return (0..<size).reduce(0) { $0 | UInt32(bytes[position + $1]) << (8 * $1) }
    }

    mutating func next() -> Operation? {
        guard position < bytes.count else { return nil }
        let code = number(1)
        let serial = number(4)
        switch code {
        case 2: position += 10  // a new window
        case 3: return .show(number(2))
        case 4...7, 12: position += 2  // hide, raise, lower, destroy, keyboard
        case 0: position += 3  // grab
        case 1, 10: break  // ungrab, disconnected
        case 8: skipMove()
        case 9: position += 4  // transient for
        case 13: skipTexture()
        case 14: position += 4  // release a texture
        case 15: skipNodes()
        case 16: return .roundtrip(serial: serial, id: number(2), tag: number(4))
        default: position = bytes.count
        }
        return .other
    }

    private mutating func skipMove() {
        position += 2
        let parts = number(1)
        position += (parts & 1 != 0 ? 4 : 0) + (parts & 2 != 0 ? 4 : 0)
    }

    private mutating func skipTexture() {
        position += 4
        position += Int(number(4))
    }

    private mutating func skipNodes() {
        position += 2
        position += 4 * Int(number(4))
    }
}
