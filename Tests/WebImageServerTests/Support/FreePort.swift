import Glibc

@testable import WebImageTestDoubles
@testable import WebImageTesting

/// Ports for programs that have to be told theirs.
enum FreePort {
    /// A port that the system gives to no socket by itself (those begin at 32,768), so that no server of another test gets it.
    static func find() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: 20_000..<32_000)
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(number) }
            var address = sockaddr_in.loopback
            address.sin_port = in_port_t(port).bigEndian
            let code = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if code == 0 { return port }
        }
        throw TestFailure(text: "no port is free")
    }
}
