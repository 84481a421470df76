import WebImageIsolation

/// The worker's end of its connection with the app.
final class SocketChannel: WorkerChannel {
    private let socket: PacketSocket

    init(_ socket: PacketSocket) { self.socket = socket }

    func receive() -> WorkerPacket? {
        switch socket.receive() {
        case .packet(let packet): packet
        case .nothing: nil
        case .end: nil
        case .cut: nil
        }
    }

    /// A worker has no descriptors to send.
    func send(_ packet: consuming WorkerPacket) -> Bool { socket.write(packet.bytes) }
}
