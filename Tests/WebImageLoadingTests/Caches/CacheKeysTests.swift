import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Image cache: the keys that it has, and copies of its files", .timeLimit(.minutes(5)))
struct CacheKeysTests {
    private let directory: CacheDirectory
    private let cache: ImageCache
    private let ada = CacheKey("https://example.org/ada/a.jpg")
    private let bob = CacheKey("https://example.org/bob/b.jpg?size=2")
    private var thumbnail: CacheKey { ada.thumbnail(.square(8), preservesAspectRatio: true) }

    init() throws {
        directory = try CacheDirectory()
        cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache())
    }

    private func fill() async throws {
        for key in [ada, thumbnail, bob] { try await cache.store(.sample(), for: key) }
        cache.storeInMemory(try .plain(1, 1), for: thumbnail.variant("scale 2"))
        cache.storeInMemory(try .plain(1, 1), for: bob)
        try await cache.store(.sample(), for: ada.partialBody)
    }

    @Test("the keys of both tiers are listed, each once, and know their originals")
    func keys() async throws {
        try await fill()
        let keys = try await cache.keys()
        #expect(Set(keys) == [ada, thumbnail, thumbnail.variant("scale 2"), bob] && keys.count == 4)
        #expect(Set(keys.map(\.original)) == [ada, bob])
        #expect(try await cache.keys { $0.original.string.contains("/bob/") } == [bob])
    }

    @Test("a removal by a condition takes all that was made from a picture, and nothing else")
    func removal() async throws {
        try await fill()
        let removed = try await cache.remove { $0 == ada }
        #expect(removed == [ada])
        #expect(try await cache.keys() == [bob])
        #expect(directory.files.count == 2, "the beginning of a file is none of its pictures")
    }

    @Test("a copy of a picture's file has its bytes and its name, and is the caller's")
    func copy() async throws {
        let bytes = try Fixtures.data("photo.jpg")
        let names = [
            "https://example.org/gr%C3%BCn.png?a=/b/": "gr\u{fc}n.jpg", "https://example.org/": "example.org.jpg",
            "avatar of 17": "avatar of 17.jpg", "a/.hidden": "hidden.jpg", "x/%2E%2E%2Fy": "y.jpg", "": "picture.jpg",
            "https://ada:pw@example.org/": "example.org.jpg",
        ]
        for (text, name) in names {
            try await cache.store(DiskCacheEntry(data: bytes), for: CacheKey(text))
            let file = try await cache.copyFile(for: CacheKey(text))
            #expect(file.lastPathComponent == name)
            #expect(try Data(contentsOf: file) == bytes)
            await cache.remove(for: CacheKey(text))
            #expect(try Data(contentsOf: file) == bytes)
            try FileManager.default.removeItem(at: file.deletingLastPathComponent())
        }
    }

    @Test("a copy goes to the directory that the caller names; without a file, or a directory, an error says so")
    func copyErrors() async throws {
        let bytes = try Fixtures.data("photo.jpg")
        try await cache.store(DiskCacheEntry(data: bytes), for: ada)
        let folder = URL(filePath: directory.path)
        #expect(try await cache.copyFile(for: ada, to: folder) == folder.appending(path: "a.jpg"))
        let missing = await #expect(throws: WebImageError.self) { try await cache.copyFile(for: bob) }
        #expect(missing?.code == .notCached)
        let nowhere = await #expect(throws: WebImageError.self) {
            try await cache.copyFile(for: ada, to: folder.appending(path: "none"))
        }
        #expect(nowhere?.code == .fileNotFound)
    }
}
