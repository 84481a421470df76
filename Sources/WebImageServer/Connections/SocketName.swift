import CMicroHTTPD
import Glibc

/// An address with its port, as the system's calls have it.
struct SocketName {
    let family: Int32
    private let bytes: [UInt8]

    /// All that a server can listen at.
    ///
    /// - Parameter host: nil for all addresses of this machine.
    static func all(host: String?, port: UInt16) -> [SocketName] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        let names = sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            entry.flatMap { $0.pointee.ai_addr }.flatMap { SocketName($0) }
        }
        // A socket of IPv6 takes clients of both kinds.
        return host == nil ? names.sorted { $0.family > $1.family } : names
    }

    init?(_ address: UnsafePointer<sockaddr>) {
        family = Int32(address.pointee.sa_family)
        let count: Int
        switch family {
        case AF_INET: count = MemoryLayout<sockaddr_in>.size
        case AF_INET6: count = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        bytes = Array(UnsafeRawBufferPointer(start: address, count: count))
    }

    /// The end of a socket on this machine.
    init?(of socket: CInt) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let name = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(socket, address, &size) == 0 ? SocketName(address) : nil
            }
        }
        guard let name else { return nil }
        self = name
    }

    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        bytes.withUnsafeBytes { bytes in
            bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map { body($0, socklen_t(bytes.count)) }
        }
    }

    /// The address in numbers; those of IPv4 in their own form, also where IPv6 carries them.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withAddress { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
        guard code == 0 else { return "" }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
    }

    var port: Int { bytes.count > 3 ? Int(bytes[2]) << 8 | Int(bytes[3]) : 0 }

    var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
