import Foundation
import WebImageTesting

/// A frame of HTTP/2 (RFC 9113 §4.1), for scripts of servers that violate the protocol.
struct HTTP2Frame {
    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case reset = 3
        case settings = 4
        case push = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    /// The code of a reset or of the end of a connection (RFC 9113 §7).
    enum Code: UInt32 {
        case noError = 0
        case protocolError = 1
        case internalError = 2
        case refusedStream = 7
        case cancel = 8
        case enhanceYourCalm = 11
    }

    static let endOfStream: UInt8 = 1
    static let endOfHead: UInt8 = 4

    let kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 1
    var payload = Data()

    var bytes: Data {
        let count = UInt32(payload.count)
        return Data([UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), kind.rawValue, flags])
            + stream.bigEndianBytes + payload
    }

    // MARK: Frames

    static let settings = HTTP2Frame(kind: .settings, stream: 0)
    static let ping = HTTP2Frame(kind: .ping, stream: 0, payload: Data(count: 8))

    /// The head of a response with the status 200.
    static func head(length: Int? = nil, flags: UInt8 = endOfHead, stream: UInt32 = 1) -> HTTP2Frame {
        HTTP2Frame(kind: .headers, flags: flags, stream: stream, payload: block(length: length))
    }

    static func data(_ text: String, isLast: Bool = false, stream: UInt32 = 1) -> HTTP2Frame {
        HTTP2Frame(kind: .data, flags: isLast ? endOfStream : 0, stream: stream, payload: Data(text.utf8))
    }

    static func reset(_ code: Code, stream: UInt32 = 1) -> HTTP2Frame {
        HTTP2Frame(kind: .reset, stream: stream, payload: code.rawValue.bigEndianBytes)
    }

    /// The end of a connection, which no request after that of `lastStream` has reached.
    static func goAway(_ code: Code, lastStream: UInt32) -> HTTP2Frame {
        HTTP2Frame(kind: .goAway, stream: 0, payload: lastStream.bigEndianBytes + code.rawValue.bigEndianBytes)
    }

    /// Fields in HPACK (RFC 7541): `:status: 200` of the static table, and a length that is not indexed.
    static func block(length: Int?) -> Data {
        guard let length else { return Data([0x88]) }
        let digits = Data("\(length)".utf8)
        return Data([0x88, 0x0F, 0x0D, UInt8(digits.count)]) + digits
    }

    /// A field in HPACK with a name of its own that the table does not keep; shorter than 127 bytes each.
    static func field(_ name: String, _ value: String) -> Data {
        Data([0, UInt8(name.utf8.count)]) + Data(name.utf8) + Data([UInt8(value.utf8.count)]) + Data(value.utf8)
    }
}

extension RawOrigin.Step {
    /// Reads the client's preface and frames, up to the head of a request.
    static let receiveHTTP2Request = RawOrigin.Step.receive { received in
        var rest = received.dropFirst("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            if head[3] == HTTP2Frame.Kind.headers.rawValue { return true }
            rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
        }
        return false
    }

    /// Sends frames, one directly after the other.
    static func send(_ frames: HTTP2Frame...) -> RawOrigin.Step {
        .send(frames.reduce(into: Data()) { $0 += $1.bytes })
    }

    /// Sends frames again and again, a thousand at a time.
    static func flood(_ frame: HTTP2Frame) -> RawOrigin.Step {
        .repeatedly((0..<1000).reduce(into: Data()) { bytes, _ in bytes += frame.bytes }, every: .zero)
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }
}
