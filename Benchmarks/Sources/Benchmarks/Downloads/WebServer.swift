import FoundationEssentials
import Glibc

/// A local nginx with one worker: files of 20 KB and of 5 MB over HTTP/1.1, and over HTTP/2 with TLS.
final class WebServer {
    enum Body: String {
        case small = "s"
        case large = "l"

        var byteCount: Int { self == .small ? 20_000 : 5_000_000 }
        var fileCount: Int { self == .small ? 1000 : 10 }
    }

    let directory = TemporaryDirectory()
    /// The server's own certificate, which clients are to trust.
    let certificatePath: String
    private let plainPort: UInt16
    private let securePort: UInt16

    init() throws {
        certificatePath = directory.path + "/certificate.pem"
        plainPort = try Self.freePort()
        securePort = try Self.freePort()
        for body in [Body.small, .large] { try Self.makeFiles(body, in: directory.path) }
        try Self.makeCertificate(in: directory.path)
        try Data(configuration.utf8).write(to: URL(filePath: directory.path + "/nginx.conf"))
        // It returns once the ports are open, and goes on in the background.
        try control([])
    }

    deinit {
        // It would serve on after this process.
        try? control(["-s", "stop"])
    }

    /// `count` different addresses of files with such a body, over HTTP/1.1 or over HTTP/2 with TLS. Equal ones would
    /// share a transfer.
    func urls(_ body: Body, count: Int, overTLS: Bool = false) -> [URL] {
        let base = overTLS ? "https://127.0.0.1:\(securePort)" : "http://127.0.0.1:\(plainPort)"
        return (0..<count).compactMap { URL(string: "\(base)/\(body.rawValue)/\($0 % body.fileCount).jpg?\($0)") }
    }

    private func control(_ arguments: [String]) throws {
        try Child.run(
            "nginx", ["-p", directory.path, "-c", directory.path + "/nginx.conf", "-e", "error.log"] + arguments)
    }

    private var configuration: String {
        """
        worker_processes 1;
        pid nginx.pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            keepalive_requests 1000000;
            sendfile on;
            tcp_nopush on;
            client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary;
            uwsgi_temp_path temporary; scgi_temp_path temporary;
            root \(directory.path);
            server { listen 127.0.0.1:\(plainPort); }
            server {
                listen 127.0.0.1:\(securePort) ssl http2;
                ssl_certificate certificate.pem;
                ssl_certificate_key key.pem;
            }
        }
        """
    }

    private static func makeFiles(_ body: Body, in directory: String) throws {
        let folder = "\(directory)/\(body.rawValue)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let bytes = Data((0..<body.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for index in 0..<body.fileCount { try bytes.write(to: URL(filePath: "\(folder)/\(index).jpg")) }
    }

    private static func makeCertificate(in directory: String) throws {
        try Child.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", directory + "/key.pem",
                "-out", directory + "/certificate.pem",
            ])
    }

    /// nginx cannot choose a free port itself.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchmarkError("there is no socket for a server") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            } ? UInt16(bigEndian: pointer.pointee.sin_port) : nil
        }
        guard let port else { throw BenchmarkError("there is no free port for a server") }
        return port
    }
}
