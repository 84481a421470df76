/// Messages of the kernel about addresses and routes (RTNETLINK), one after the other, in the byte order of the machine.
struct NetlinkMessages {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Whether one of them tells that an address or a route was added. One that is cut off, or has an impossible length,
    /// ends the reading.
    var tellOfArrival: Bool {
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while bytes.count - offset >= Self.headByteCount {
                let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                guard (Self.headByteCount...(bytes.count - offset)).contains(length) else { return false }
                let type = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
                if type == Self.newAddress || type == Self.newRoute { return true }
                // Each begins at a multiple of four.
                offset += (length + 3) & ~3
            }
            return false
        }
    }

    private static let headByteCount = 16
    /// RTM_NEWADDR.
    private static let newAddress: UInt16 = 20
    /// RTM_NEWROUTE.
    private static let newRoute: UInt16 = 24
}
