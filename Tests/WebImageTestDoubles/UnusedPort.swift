import Glibc

/// A port of 127.0.0.1 that refuses connections for as long as this object lives: it is bound, so that no server of
/// another test gets it meanwhile, and nobody listens.
final class UnusedPort: Sendable {
    struct NotBound: Error {
        let code: Int32
    }

    let number: Int
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw NotBound(code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { [descriptor] address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, length) == 0 else { return errno }
                return getsockname(descriptor, address, &length) == 0 ? 0 : errno
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard code == 0 else {
            close(descriptor)
            throw NotBound(code: code)
        }
    }

    deinit { close(descriptor) }
}
