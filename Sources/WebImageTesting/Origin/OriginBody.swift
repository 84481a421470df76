import CMicroHTTPD
import FoundationEssentials

/// A body that is sent by a script, on its connection's thread, which it may block.
final class OriginBody {
    private let response: OriginResponse
    private let socket: ConnectionSocket
    private let exchange: OriginExchange
    private var start: ContinuousClock.Instant?

    init(_ response: OriginResponse, socket: ConnectionSocket, exchange: OriginExchange) {
        self.response = response
        self.socket = socket
        self.exchange = exchange
    }

    /// Copies the next piece into `buffer` at its time.
    ///
    /// - Parameter position: The number of body bytes already sent.
    /// - Returns: The number of bytes, or one of libmicrohttpd's two codes for the end.
    func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let ending = waitAtHolds(position) ?? breakOff(position) {
            exchange.ending = ending
            return OriginDaemon.endWithError
        }
        guard position < response.body.count else { return endOfBody() }
        let end = endOfPiece(from: position, limit: buffer.count)
        if let ending = waitForBandwidth(end) {
            exchange.ending = ending
            return OriginDaemon.endWithError
        }
        let piece = response.body.dropFirst(position).prefix(end - position)
        piece.copyBytes(to: buffer)
        return piece.count
    }

    private func waitAtHolds(_ position: Int) -> OriginEnding? {
        for hold in response.holds {
            guard let offset = hold.offset, offset <= position else { continue }
            if let ending = socket.wait(for: hold.gate) { return ending }
        }
        return nil
    }

    private func breakOff(_ position: Int) -> OriginEnding? {
        guard let fault = response.fault, fault.offset <= position else { return nil }
        switch fault {
        case .stall: return socket.stall()
        case .reset: socket.reset()
        case .close: break
        }
        return .brokenOff
    }

    private func endOfBody() -> Int {
        guard case .claimedLength = response.framing else { return OriginDaemon.endOfStream }
        exchange.ending = .brokenOff
        return OriginDaemon.endWithError
    }

    private func endOfPiece(from position: Int, limit: Int) -> Int {
        let stops = response.holds.compactMap(\.offset) + (response.fault.map { [$0.offset] } ?? [])
        let piece = min(limit, max(1, response.pieceSize ?? defaultPieceSize))
        return min(response.body.count, position + piece, stops.filter { $0 > position }.min() ?? .max)
    }

    /// The bytes of a fiftieth of a second: smooth, with few wake-ups.
    private var defaultPieceSize: Int { response.bytesPerSecond.map { $0 / 50 } ?? .max }

    private func waitForBandwidth(_ end: Int) -> OriginEnding? {
        guard let rate = response.bytesPerSecond, rate > 0 else { return nil }
        let start = start ?? .now
        self.start = start
        return socket.pause(for: start + .seconds(Double(end) / Double(rate)) - .now)
    }
}

extension OriginResponse.Fault {
    var offset: Int {
        switch self {
        case .stall(let offset), .reset(let offset), .close(let offset): offset
        }
    }
}

extension OriginResponse {
    /// Whether the body has no delays, so that libmicrohttpd can send it alone.
    var isPlain: Bool {
        framing == .contentLength && bytesPerSecond == nil && pieceSize == nil && fault == nil
            && holds.allSatisfy { $0.offset == nil }
    }
}
