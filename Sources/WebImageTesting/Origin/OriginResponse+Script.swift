import FoundationEssentials

extension OriginResponse {
    /// With one more header field.
    public func header(_ name: String, _ value: String) -> OriginResponse {
        with { $0.headers.append(HeaderField(name: name, value: value)) }
    }

    /// Adds `Content-Encoding: coding`. The body must be encoded already: the origin compresses nothing.
    package func encoded(as coding: String = "gzip") -> OriginResponse { header("Content-Encoding", coding) }

    /// Sends the head after `delay`.
    public func delayed(by delay: Duration) -> OriginResponse { with { $0.delay = delay } }

    /// Sends the body at `bytesPerSecond`.
    public func limited(toBytesPerSecond bytesPerSecond: Int) -> OriginResponse {
        with { $0.bytesPerSecond = bytesPerSecond }
    }

    /// Hands the body to the system in pieces of `byteCount`.
    package func inPieces(of byteCount: Int) -> OriginResponse { with { $0.pieceSize = byteCount } }

    /// Sends the body by `Transfer-Encoding: chunked`, in chunks of `byteCount`, and without a `Content-Length`.
    package func chunked(_ byteCount: Int) -> OriginResponse {
        with {
            $0.framing = .chunked
            $0.pieceSize = byteCount
        }
    }

    /// Sends the body without a length and ends it by closing the connection.
    package func untilClose() -> OriginResponse { with { $0.framing = .untilClose } }

    /// Claims a body of `byteCount` bytes, sends the whole actual body, and closes the connection.
    ///
    /// An HTTPS origin cannot send more than it has claimed: it cuts a longer body.
    package func contentLength(_ byteCount: Int) -> OriginResponse { with { $0.framing = .claimedLength(byteCount) } }

    /// Sends nothing until `gate` is open.
    public func held(by gate: Gate) -> OriginResponse { with { $0.holds.append(Hold(offset: nil, gate: gate)) } }

    /// Sends the head and `byteCount` bytes of the body, and the rest once `gate` is open.
    public func held(by gate: Gate, afterBytes byteCount: Int) -> OriginResponse {
        with { $0.holds.append(Hold(offset: byteCount, gate: gate)) }
    }

    /// Sends the head and `byteCount` bytes of the body, then nothing, on an open connection.
    public func stalling(afterBytes byteCount: Int) -> OriginResponse {
        with { $0.fault = .stall(afterBytes: byteCount) }
    }

    /// Sends the head and `byteCount` bytes of the body, then resets the connection (TCP RST).
    package func reset(afterBytes byteCount: Int) -> OriginResponse {
        with { $0.fault = .reset(afterBytes: byteCount) }
    }

    /// Sends the head and `byteCount` bytes of the body, then closes the connection gracefully (TCP FIN).
    public func closed(afterBytes byteCount: Int) -> OriginResponse {
        with { $0.fault = .close(afterBytes: byteCount) }
    }

    func with(_ change: (inout OriginResponse) -> Void) -> OriginResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
