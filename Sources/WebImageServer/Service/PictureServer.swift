import Foundation
import Synchronization
import WebImage
import WebImageCache
import WebImageCore
import WebImageMemcached

/// Serves pictures over HTTP: fetched, made to the size, format and look that the address says, and kept, so that each is made
/// once. Docs/Server.md has the addresses and the settings.
///
/// ```swift
/// var settings = PictureServerSettings()
/// settings.listen = "127.0.0.1:8080"
/// let server = try PictureServer(settings: settings)
/// let example = URL(string: "http://\(server.address)\(server.examplePath)")
/// ```
/// Any thread.
public final class PictureServer: Sendable {
    private let server: HTTPServer
    private let service: PictureService
    private let settings: Mutex<PictureServerSettings>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - settings: By default those of ``PictureServerSettings/init()``.
    ///   - coder: Reads and writes the pictures' files.
    /// - Throws: ``PictureServerError`` for settings that contradict each other, for files that cannot be read, and for an address
    ///   that is taken.
    public init(
        settings: PictureServerSettings = PictureServerSettings(), coder: any ImageCoder = ImageCodersManager.shared
    ) throws(PictureServerError) {
        let settings = try settings.checked()
        service = try ServiceParts(settings, coder).service
        self.settings = Mutex(settings)
        server = try HTTPServer(ListeningSocket(settings.listen), limits: HTTPServer.Limits()) { [service] request in
            service.respond(request)
        }
    }

    /// The address and port at which it listens, `127.0.0.1:8080`.
    public var address: String { server.name }

    /// The path of an address that works: a small picture that the server has itself.
    public var examplePath: String {
        let settings = settings.withLock { $0 }
        let path = "/rs:fit:320:240/plain/\(ExampleLoader.address)"
        let rules = try? ServiceRules(settings)
        return "/" + (rules?.signature.signature(of: path) ?? "unsafe") + path
    }

    /// Takes the settings of requests that come from now on, and opens the file of the access log again, which may have been moved
    /// away. The settings of the socket, the caches, the queue, the limits, the log and the watermark need a new server.
    ///
    /// - Throws: ``PictureServerError``; the settings before stay then.
    public func reload(_ settings: PictureServerSettings) throws(PictureServerError) {
        let current = self.settings.withLock { $0 }
        // The socket stays, and a file that has lost its keys, such as one that is being written, opens no service.
        var asked = settings
        asked.listen = server.name
        guard current.keys.isEmpty || !asked.keys.isEmpty || asked.allowsUnsigned else {
            throw PictureServerError("the keys are gone: give a key and a salt, or unsigned = true")
        }
        let settings = try asked.checked()
        service.use(try ServiceRules(settings))
        try service.reopenLog()
        self.settings.withLock { $0 = settings }
    }

    /// Removes a source and all that was made of it: from the memory that a fleet shares, and from this machine's cache.
    ///
    /// - Throws: ``PictureServerError`` where the source is not one of these settings, or the shared memory does not answer.
    public static func purge(_ source: String, _ settings: PictureServerSettings) async throws(PictureServerError) {
        let rules = try ServiceRules(settings)
        let url = try rules.sourceURL(source)
        do {
            try await ServiceParts.store(settings).purge(rules.sources.key(of: url))
        } catch {
            throw PictureServerError("removed here, and not from the shared memory: \(error)")
        }
    }

    /// Stops: `/health` answers 503, ``PictureServerSettings/drainTime`` later no connection is accepted any more, and requests
    /// that are there get their answers.
    ///
    /// - Parameter time: For these answers; what is not sent then is cut off.
    public func stop(within time: Duration = .seconds(30)) async {
        service.beginStopping()
        try? await Task.sleep(for: .seconds(settings.withLock { $0.drainTime }))
        server.stopListening()
        let end = ContinuousClock.now + time
        while server.openRequestCount > 0, .now < end { try? await Task.sleep(for: .milliseconds(10)) }
        server.stop()
        service.finish()
    }
}

extension PictureServerSettings {
    /// The settings, if they fit together.
    fileprivate func checked() throws(PictureServerError) -> PictureServerSettings {
        var settings = self
        if keys.isEmpty, !allowsUnsigned {
            guard Self.isLoopback(listen) else {
                throw PictureServerError(
                    "without keys, anyone who reaches \(listen) uses this server for any picture: give --key and --salt, or --unsigned"
                )
            }
            settings.allowsUnsigned = true
        }
        return settings
    }

    private static func isLoopback(_ address: String) -> Bool {
        ["127.", "[::1]:", "localhost:"].contains { address.hasPrefix($0) }
    }
}
