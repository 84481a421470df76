import FoundationEssentials
import Glibc

/// `webimage serve` with two workers and a cache of its own.
final class WebImageService {
    /// `scripts/bench` builds it and sets the path.
    static var path: String? { getenv("WEBIMAGE_PROGRAM").map { String(cString: $0) } }

    let port: UInt16
    let program: RunningProgram
    private let folder = TemporaryDirectory()

    /// - Parameter arguments: Besides the usual ones.
    init(_ arguments: [String] = []) throws {
        guard let path = Self.path else { throw BenchmarkError("WEBIMAGE_PROGRAM does not name webimage") }
        port = try WebServer.freePort()
        program = try RunningProgram(
            path,
            [
                "serve", "--quiet", "--listen", "127.0.0.1:\(port)", "--allow-private", "--access-log", "off",
                "--workers", "2", "--cache", folder.path,
            ] + arguments)
        try RequestLoad.awaitServer(port)
    }

    /// A target whose result is not kept anywhere.
    static func newTarget(_ source: String, width: Int = 500) -> @Sendable (Int) -> String {
        let run = UInt32.random(in: .min ... .max)
        return { "/unsafe/w:\(width)/cb:\(run).\($0)/plain/\(source)" }
    }
}

/// thumbor, the picture server in Python, with a process for each worker. It keeps sources, and no results.
final class ThumborService {
    /// `scripts/bench` installs it and sets the path; nil where that is not possible.
    static var path: String? { getenv("WEBIMAGE_THUMBOR").map { String(cString: $0) } }

    let port: UInt16
    let program: RunningProgram
    private let folder = TemporaryDirectory()

    init(workers: Int) throws {
        guard let path = Self.path else { throw BenchmarkError("WEBIMAGE_THUMBOR does not name thumbor") }
        port = try WebServer.freePort()
        let configuration = """
            ALLOW_UNSAFE_URL=True
            SECURITY_KEY='benchmark'
            QUALITY=80
            STORAGE='thumbor.storages.file_storage'
            FILE_STORAGE_ROOT_PATH='\(folder.path)'
            HTTP_LOADER_MAX_CLIENTS=100
            """
        try Data(configuration.utf8).write(to: URL(filePath: folder.path + "/thumbor.conf"))
        program = try RunningProgram(
            path, ["-i", "127.0.0.1", "-p", "\(port)", "-c", folder.path + "/thumbor.conf", "--processes=\(workers)"])
        try RequestLoad.awaitServer(port)
    }

    func target(_ source: String) -> @Sendable (Int) -> String { { _ in "/unsafe/500x0/\(source)" } }
}
