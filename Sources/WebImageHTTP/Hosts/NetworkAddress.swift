import CCurl
import Glibc

/// An IP address, to tell those of the internet from all others.
package struct NetworkAddress {
    /// In network order: 4 or 16 bytes.
    private let bytes: [UInt8]

    /// The address that libcurl is about to connect to; nil for another family, such as Unix sockets.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// An address as text, `127.0.0.1` or `::1`.
    package init?(_ text: String) {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text.prefixBeforeZone, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }

    /// The usual text; nil for an address of IPv4.
    var text: String? {
        guard bytes.count == 16 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether it is an address of the internet, and not of this machine, a private network, a link, such as the metadata
    /// service of clouds, a group or a document (IANA's registries of special-purpose addresses, RFC 6890).
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
        // Addresses that stand for those of IPv4: mapped, NAT64 and 6to4.
        for (prefix, offset) in Self.embeddings where prefix.contains(bytes) {
            return NetworkAddress(bytes: Array(bytes[offset..<offset + 4])).isPublic
        }
        // ISATAP, whose tunnel ends at the address of IPv4 in the last bytes, whatever the prefix (RFC 5214 §6.1).
        if bytes[8] & 0xFD == 0, bytes[9...11] == [0, 0x5E, 0xFE] {
            guard NetworkAddress(bytes: Array(bytes[12...])).isPublic else { return false }
        }
        return Self.globalIPv6.contains(bytes) && !Self.specialIPv6.contains { $0.contains(bytes) }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private struct Prefix {
        let bytes: [UInt8]
        let length: Int

        init(_ length: Int, _ bytes: UInt8...) {
            self.bytes = bytes
            self.length = length
        }

        func contains(_ address: [UInt8]) -> Bool {
            for bit in 0..<length {
                let own = bit / 8 < bytes.count ? bytes[bit / 8] : 0
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                if address[bit / 8] & mask != own & mask { return false }
            }
            return true
        }
    }

    private static let specialIPv4 = [
        Prefix(8, 0), Prefix(8, 10), Prefix(10, 100, 64), Prefix(8, 127), Prefix(16, 169, 254), Prefix(12, 172, 16),
        Prefix(24, 192, 0, 0), Prefix(24, 192, 0, 2), Prefix(24, 192, 88, 99), Prefix(16, 192, 168),
        Prefix(15, 198, 18), Prefix(24, 198, 51, 100), Prefix(24, 203, 0, 113), Prefix(4, 224), Prefix(4, 240),
    ]

    private static let embeddings = [
        (Prefix(96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF), 12), (Prefix(96, 0, 0x64, 0xFF, 0x9B), 12),
        (Prefix(16, 0x20, 0x02), 2),
    ]

    private static let globalIPv6 = Prefix(3, 0x20)
    /// Protocol assignments with Teredo, documents, and the block for documents of RFC 9637.
    private static let specialIPv6 = [
        Prefix(23, 0x20, 0x01), Prefix(32, 0x20, 0x01, 0x0D, 0xB8), Prefix(20, 0x3F, 0xFF),
    ]
}

extension String {
    /// An address without its zone: `fe80::1` of `fe80::1%eth0`.
    fileprivate var prefixBeforeZone: String { String(prefix { $0 != "%" }) }
}
