/// A message as packets, each of which says whether more of the message follow.
package enum MessageParts {
    /// The longest message in bytes.
    package static let maximumByteCount = 16 << 20

    private static let isLast: UInt8 = 0
    private static let goesOn: UInt8 = 1
    private static let capacity = WorkerPacket.maximumByteCount - 1

    /// - Returns: nil for a message that is too long.
    package static func packets(of message: [UInt8]) -> [[UInt8]]? {
        guard message.count <= maximumByteCount else { return nil }
        var packets: [[UInt8]] = []
        var rest = message[...]
        repeat {
            let part = rest.prefix(capacity)
            rest = rest.dropFirst(part.count)
            packets.append([rest.isEmpty ? isLast : goesOn] + part)
        } while !rest.isEmpty
        return packets
    }

    /// Puts a message together.
    package struct Joiner {
        private var message: [UInt8] = []

        package init() {}

        /// - Returns: The message, with its last packet.
        package mutating func add(_ packet: [UInt8]) throws(MessageError) -> [UInt8]? {
            guard let mark = packet.first else { throw .truncated }
            guard mark <= goesOn else { throw .unknownValue }
            // A part that brings nothing would let a message go on without an end.
            guard mark == isLast || packet.count > 1 else { throw .truncated }
            guard message.count + packet.count - 1 <= maximumByteCount else { throw .tooLong }
            message += packet.dropFirst()
            return mark == isLast ? message : nil
        }
    }
}
