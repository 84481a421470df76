import CProcess
import Glibc
import WebImageCore

/// One end of a connection of packets between two processes. Any thread.
package final class PacketSocket: Sendable {
    package let descriptor: OwnedDescriptor

    package init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// The two ends of a new connection.
    package static func makePair() throws(SystemFailure) -> (PacketSocket, PacketSocket) {
        var ends: [Int32] = [-1, -1]
        let code = webimage_connect_pair(&ends)
        guard code == 0 else { throw SystemFailure(code: code) }
        return (PacketSocket(OwnedDescriptor(ends[0])), PacketSocket(OwnedDescriptor(ends[1])))
    }

    package enum Receipt: ~Copyable {
        case packet(WorkerPacket)
        /// There is nothing yet.
        case nothing
        /// The other side has ended.
        case end
        /// A packet is longer than any may be, or this process has no room for its descriptors.
        case cut(WorkerPacket)
    }

    /// - Parameter waits: Whether it returns only with a packet, or at the end.
    package func receive(waits: Bool = true) -> Receipt {
        var numbers = [Int32](repeating: -1, count: WEBIMAGE_MESSAGE_DESCRIPTORS)
        var receipt = webimage_receipt()
        let bytes = [UInt8](unsafeUninitializedCapacity: WorkerPacket.maximumByteCount) { buffer, count in
            receipt = webimage_receive(descriptor.number, buffer.baseAddress, buffer.count, &numbers, waits)
            count = max(0, receipt.count)
        }
        let descriptors = numbers.prefix(Int(receipt.descriptor_count)).map { OwnedDescriptor($0) }
        if receipt.count == -Int(EAGAIN) { return .nothing }
        guard receipt.count > 0 else { return .end }
        let packet = WorkerPacket(bytes: bytes, descriptors: descriptors)
        return receipt.is_cut ? .cut(packet) : .packet(packet)
    }

    package enum Sending: Equatable {
        case sent
        /// The other side has not taken earlier packets yet.
        case full
        case end
    }

    /// - Parameter waits: Whether it waits until the other side has taken earlier packets.
    package func send(_ packet: borrowing WorkerPacket, waits: Bool = true) -> Sending {
        let numbers = packet.descriptors.map(\.number)
        let code = webimage_send(
            descriptor.number, packet.bytes, packet.bytes.count, numbers, numbers.count, waits)
        switch code {
        case 0: return .sent
        case EAGAIN: return .full
        default: return .end
        }
    }

    /// Sends a packet without descriptors, and waits until there is room, in a process that can do nothing else.
    ///
    /// - Returns: False where the other side has ended.
    package func write(_ bytes: [UInt8]) -> Bool { webimage_write(descriptor.number, bytes, bytes.count) == 0 }
}
