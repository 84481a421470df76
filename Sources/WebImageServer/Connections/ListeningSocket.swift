import Glibc
import WebImageCore

/// A socket that waits for clients.
struct ListeningSocket: ~Copyable {
    /// The daemon that gets it closes it.
    let number: CInt
    /// `127.0.0.1:8080`, `[::1]:8080`: with the port that the system has chosen, where none was asked for.
    let name: String

    /// - Parameter address: `HOST:PORT`, `[IPv6]:PORT`, `*:PORT` for all addresses of this machine; port 0 for one that is free.
    init(_ address: String) throws(PictureServerError) {
        guard let place = Self.place(address) else {
            throw PictureServerError(
                "listen: \(address) is no ADDRESS:PORT; write 127.0.0.1:8080, [::1]:8080 or *:8080")
        }
        let all = SocketName.all(host: place.host, port: place.port)
        guard !all.isEmpty else { throw PictureServerError("listen: \(address) is no address of this machine") }
        var last: Int32 = 0
        for name in all {
            guard let number = Self.bound(to: name, &last) else { continue }
            self.number = number
            self.name = SocketName(of: number)?.text ?? address
            return
        }
        throw PictureServerError("cannot listen at \(address): \(SystemFailure(code: last).text)")
    }

    private static func bound(to name: SocketName, _ failure: inout Int32) -> CInt? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(name.family, type, 0)
        guard number >= 0 else {
            failure = errno
            return nil
        }
        var one: CInt = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        guard name.withAddress({ bind(number, $0, $1) }) == 0, listen(number, 1024) == 0 else {
            failure = errno
            close(number)
            return nil
        }
        return number
    }

    private static func place(_ text: String) -> (host: String?, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host == "*" || host.isEmpty { return (nil, port) }
        if host.first == "[" {
            guard host.last == "]" else { return nil }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        return (String(host), port)
    }
}
