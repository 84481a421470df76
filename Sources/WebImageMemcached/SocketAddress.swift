import Glibc

/// An address as the system's calls take it.
struct SocketAddress {
    let family: Int32
    private let bytes: [UInt8]

    /// All addresses of a server; none for a name that is not known. Waits for name servers.
    static func all(of server: MemcachedServer) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(server.host, "\(server.port)", &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            guard let entry = entry?.pointee, let address = entry.ai_addr else { return nil }
            return SocketAddress(
                family: entry.ai_family,
                bytes: Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))))
        }
    }

    /// The result of `connect(2)`.
    func connect(_ socket: CInt) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            guard let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
            return Glibc.connect(socket, address, socklen_t(bytes.count))
        }
    }
}
