import Foundation
import WebImage

/// Two machines with caches of their own, and a directory that both share. Ends with an error where something is not as
/// Docs/Tiers.md says.
@main
struct Check {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tier-\(UUID().uuidString)")
    private var shared: URL { folder.appending(path: "shared") }
    private static let address = "https://example.org/a.gif"
    private static let picture = Data(
        base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

    static func main() async throws {
        let check = Check()
        defer { try? FileManager.default.removeItem(at: check.folder) }
        try await check.fill()
        try await check.rights()
        try await check.damage()
        try await check.removal()
        print("tier: what one machine has loaded, the other one had, with its rights, and no more")
    }

    /// A picture that one machine has loaded comes from the tier on the other one, and then from its own disk.
    private func fill() async throws {
        _ = try await load("one", online: true)
        guard try await load("two", online: false).cacheType == .disk else { throw Failure("the tier was not asked") }
        await cache("two").flush()
        try FileManager.default.removeItem(at: shared)
        guard try await load("two", online: false).cacheType == .disk else { throw Failure("the disk was not filled") }
    }

    /// A picture that was loaded with a password is for loads with that password.
    private func rights() async throws {
        var context = WebImageContext()
        context.downloadCredential = DownloadCredential(user: "ada", password: "secret")
        await cache("one").clear()
        _ = try await load("one", online: true, context)
        guard try await load("three", online: false, context).cacheType == .disk else {
            throw Failure("the tier has lost a picture with rights")
        }
        if (try? await load("four", online: false)) != nil { throw Failure("the tier has forgotten the rights") }
    }

    /// Bytes that were damaged in a tier are none.
    private func damage() async throws {
        let (key, entry) = (CacheKey("damaged"), DiskCacheEntry(data: Data("picture".utf8)))
        let one = cache("one")
        try await one.store(entry, for: key)
        await one.flush()
        guard try await cache("five").data(for: key) == entry.data else { throw Failure("the tier has lost an entry") }
        try damageFiles()
        guard try await cache("six").data(for: key) == nil else { throw Failure("damaged bytes came through") }
    }

    private func damageFiles() throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: shared.path) {
            let file = shared.appending(path: path)
            guard var bytes = try? Data(contentsOf: file), !bytes.isEmpty else { continue }
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: file)
        }
    }

    /// A removed picture is removed everywhere.
    private func removal() async throws {
        let (key, entry) = (CacheKey("removed"), DiskCacheEntry(data: Data("picture".utf8)))
        let one = cache("one")
        try await one.store(entry, for: key)
        await one.remove(for: key)
        guard try await one.data(for: key) == nil, try await cache("seven").data(for: key) == nil else {
            throw Failure("a removed picture has come back")
        }
    }

    /// The cache of a machine, as after a restart: nothing is in memory.
    private func cache(_ machine: String) -> ImageCache {
        var config = ImageCacheConfig()
        config.fartherTiers = [DirectoryTier(folder: shared)]
        return ImageCache(directory: folder.appending(path: machine).path, config: config)
    }

    private func load(
        _ machine: String, online: Bool, _ context: WebImageContext = WebImageContext()
    ) async throws -> LoadResult {
        let loader = ClosureImageLoader { _ in
            guard online, let picture = Self.picture else { throw Failure("no network") }
            return picture
        }
        let cache = cache(machine)
        let manager = WebImageManager(cache: cache, loader: loader)
        guard let url = URL(string: Self.address) else { throw Failure("no address") }
        let result = try await manager.result(for: ImageRequest(url, options: .waitStoreCache, context: context))
        // Neither a load nor a store waits for the tier.
        await cache.flush()
        return result
    }
}

struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
