import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Disk cache", .timeLimit(.minutes(5)))
struct DiskCacheTests {
    private let directory: CacheDirectory
    private let key = CacheKey("https://example.org/picture.jpg?size=2")

    init() throws { directory = try CacheDirectory() }

    @Test(
        "DSK-1 an entry comes back with its bytes, date, header fields and extended data, in this process and the next")
    func roundTrip() throws {
        let entry = DiskCacheEntry(
            data: Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
            storedAt: Date(timeIntervalSinceReferenceDate: 812_345_678.123456),
            headers: ["etag": "\"ü\"", "x-empty": "", "": "no name"], extendedData: Data([0, 1, 2]))
        let cache = directory.cache()
        #expect(try cache.entry(for: key) == nil)
        try cache.store(entry, for: key)
        #expect(entry.isSame(as: try cache.entry(for: key)))
        #expect(entry.isSame(as: try directory.cache().entry(for: key)))
    }

    @Test("DSK-1 empty bytes and empty extended data are not the same as none")
    func emptyParts() throws {
        let cache = directory.cache()
        for extendedData in [nil, Data(), Data([9])] {
            let entry = DiskCacheEntry(data: Data(), extendedData: extendedData)
            try cache.store(entry, for: key)
            #expect(entry.isSame(as: try cache.entry(for: key)))
        }
    }

    @Test(
        "the size of the whole picture comes back with the file of a reduced one",
        arguments: [
            nil, PixelSize(width: 4000, height: 3000), PixelSize(width: 1, height: 1_000_000),
            PixelSize(width: Int(UInt32.max), height: 65_536),
        ], [nil, Data(), Data([7])])
    func wholeSize(size: PixelSize?, extendedData: Data?) throws {
        let entry = DiskCacheEntry(
            data: Data("body".utf8), headers: ["a": "b"], extendedData: extendedData, originalPixelSize: size)
        try directory.cache().store(entry, for: key)
        #expect(entry.isSame(as: try directory.cache().entry(for: key)))
    }

    @Test("a size that is invalid or too large for the header counts as none")
    func impossibleSize() throws {
        for (width, height) in [(0, 5), (5, 0), (-1, 5), (5, 1 << 32)] {
            let size = PixelSize(width: width, height: height)
            try directory.cache().store(DiskCacheEntry(data: Data("body".utf8), originalPixelSize: size), for: key)
            let entry = try #require(try directory.cache().entry(for: key))
            #expect(entry.data == Data("body".utf8))
            #expect(entry.originalPixelSize == nil)
        }
    }

    @Test("a file without the size of the whole picture can be read")
    func withoutSize() throws {
        let entry = DiskCacheEntry(data: Data("body".utf8), headers: ["a": "b"], extendedData: Data([7]))
        try closing(directory.cache()) { try $0.store(entry, for: key) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: try directory.onlyFile))
        #expect(bytes[8..<12] == Data([3, 0, 0, 0]))
        #expect(bytes[60..<64] == Data(count: 4))
        #expect(entry.isSame(as: try directory.cache().entry(for: key)))
    }

    @Test("OPT-6 an entry keeps the rights of its load")
    func rights() throws {
        var entry = DiskCacheEntry(data: Data("body".utf8))
        entry.rights.acceptsAnyCertificate = true
        entry.rights.credential = 7
        entry.rights.decryptor = .max
        try closing(directory.cache()) { try $0.store(entry, for: key) }
        #expect(try directory.cache().entry(for: key)?.rights == entry.rights)
    }

    @Test("data that is read starts at index 0 and outlives the cache and the file")
    func dataIsWhole() throws {
        var cache: DiskCache? = directory.cache()
        try cache?.store(.sample(count: 5000), for: key)
        let data = try #require(try cache?.entry(for: key)?.data)
        try cache?.removeAll()
        cache = nil
        #expect(data.startIndex == 0)
        #expect(data == DiskCacheEntry.sample(count: 5000).data)
    }

    @Test("storing again replaces the entry, and leaves one file", arguments: [true, false])
    func overwrite(hasUnnamedFiles: Bool) throws {
        let fileSystem = FaultyFileSystem()
        if !hasUnnamedFiles { fileSystem.refuseUnnamedFiles() }
        let cache = directory.cache(fileSystem)
        for seed: UInt8 in 1...5 {
            let entry = DiskCacheEntry.sample(count: Int(seed) * 1000, seed: seed)
            try cache.store(entry, for: key)
            #expect(entry.isSame(as: try cache.entry(for: key)))
        }
        #expect(directory.files.count == 1)
        #expect(cache.usage().count == 1)
    }

    @Test("DSK-1 removing removes the file; removing a missing entry is no error")
    func remove() throws {
        let cache = directory.cache()
        try cache.remove(for: key)
        try cache.store(.sample(), for: key)
        try cache.remove(for: key)
        try cache.remove(for: key)
        #expect(try cache.entry(for: key) == nil)
        #expect(directory.files.isEmpty)
        #expect(cache.usage() == DiskCacheUsage(count: 0, byteCount: 0))
    }

    @Test("DSK-9 removing all leaves no entry, and does not touch files of others")
    func removeAll() throws {
        let cache = directory.cache()
        for number in 0..<50 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        let foreign = "\(directory.path)/notes.txt"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
        try cache.removeAll()
        #expect(directory.files == [foreign])
        #expect(cache.usage().count == 0)
        try cache.store(.sample(), for: key)
        #expect(try cache.entry(for: key) != nil)
    }

    @Test("B34 A33 any key is a name: NUL, slashes, dots, none, 100 KB, no valid URL")
    func keys() throws {
        let long = String(repeating: "x", count: 100_000)
        let texts = [
            "", "\0", "a\0b", "/", "//", "..", "../../../../etc/passwd", "/etc/passwd", ".", "%00", "%2F..%2F", ":",
            "a:b*c?d\\e\"f<g>h|", "caf\u{E9}", "cafe\u{301}", "🖼️", " ", "\n", long, long + "y",
            String(repeating: "../", count: 5000), "http://", "x.\(String(repeating: "e", count: 300))",
        ]
        let cache = directory.cache()
        for (index, text) in texts.enumerated() { try cache.store(.sample(seed: UInt8(index)), for: CacheKey(text)) }
        for (index, text) in texts.enumerated() {
            let found = try #require(try directory.cache().entry(for: CacheKey(text)))
            #expect(found.data == DiskCacheEntry.sample(seed: UInt8(index)).data)
        }
        #expect(directory.files.count == texts.count)
        let pattern = /\/entries-3\/([0-9a-f]{2})\/\1[0-9a-f]{30}$/
        #expect(directory.files.allSatisfy { $0.contains(pattern) })
    }

    @Test("DSK-8 usage counts entries and the bytes of their files, after a scan as well as before")
    func usage() throws {
        let cache = directory.cache()
        for number in 0..<20 { try cache.store(.sample(count: number * 100), for: CacheKey("\(number)")) }
        try cache.store(.sample(count: 5), for: CacheKey("7"))
        #expect(directory.files.count == 20 && cache.usage() == directory.usageOfFiles)
        #expect(directory.cache().usage() == cache.usage())
    }

    @Test(
        "complaint 5: a look-up reads the beginning of one file, and is correct whichever process has changed it"
    )
    func containsFromFile() throws {
        let other = directory.cache()
        try other.store(.sample(count: 100_000), for: key)
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem)
        #expect(cache.usage().count == 1)
        #expect(cache.contains(key))
        let calls = fileSystem.calls.count
        for _ in 0..<10 { #expect(cache.contains(key)) }
        #expect(fileSystem.calls.dropFirst(calls).map(\.operation) == Array(repeating: .read, count: 10))
        try other.remove(for: key)
        #expect(!cache.contains(key))
        try other.store(.sample(), for: key)
        #expect(cache.contains(key))
    }

    @Test("until the listing has ended, look-ups and stores use the files themselves")
    func lookupDuringScan() throws {
        try closing(directory.cache()) { cache in
            for number in 0..<10 { try cache.store(.sample(), for: CacheKey("old \(number)")) }
        }
        let gate = Gate()
        let fileSystem = FaultyFileSystem()
        fileSystem.setGate { operation, _ in if operation == .list { gate.waitBlocking() } }
        let cache = directory.cache(fileSystem)
        #expect(cache.contains(CacheKey("old 1")))
        #expect(!cache.contains(CacheKey("new")))
        #expect(try cache.entry(for: CacheKey("old 2")) != nil)
        try cache.store(.sample(), for: CacheKey("new"))
        try cache.store(.sample(count: 9), for: CacheKey("old 3"))
        try cache.remove(for: CacheKey("old 4"))
        #expect(!cache.contains(CacheKey("old 4")))
        gate.open()
        #expect(cache.usage().count == 10)
        #expect(cache.contains(CacheKey("new")) && cache.contains(CacheKey("old 5")))
        #expect(!cache.contains(CacheKey("old 4")))
        #expect(cache.usage() == directory.cache().usage())
    }

    @Test("two caches of one directory see each other's entries")
    func sharedDirectory() throws {
        let (first, second) = (directory.cache(), directory.cache())
        #expect(first.usage().count == 0 && second.usage().count == 0)
        try first.store(.sample(seed: 1), for: key)
        #expect(try second.entry(for: key)?.data == DiskCacheEntry.sample(seed: 1).data)
        #expect(second.contains(key) && second.usage() == first.usage())
        try second.store(.sample(seed: 2), for: key)
        #expect(try first.entry(for: key)?.data == DiskCacheEntry.sample(seed: 2).data)
        try second.remove(for: key)
        #expect(try first.entry(for: key) == nil)
        #expect(!first.contains(key) && first.usage().count == 0)
    }

    @Test("A36 B33 a directory that was deleted is created again by the next store")
    func deletedDirectory() throws {
        let cache = directory.cache()
        for number in 0..<5 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        #expect(cache.usage().count == 5)
        try FileManager.default.removeItem(atPath: directory.path)
        #expect(try cache.entry(for: CacheKey("0")) == nil)
        try cache.store(.sample(), for: CacheKey("0"))
        #expect(try cache.entry(for: CacheKey("0")) != nil)
        #expect(cache.usage().count == 1, "the entries that went with the directory are forgotten")
        #expect(!cache.contains(CacheKey("1")))

        try FileManager.default.removeItem(atPath: directory.path)
        try cache.store(.sample(), for: CacheKey("another directory of the 256"))
        #expect(cache.usage().count == 1)
    }

    @Test(
        "DSK-2 a file is called by the beginning of its key's SHA-256, in one of 256 directories, without an extension",
        arguments: [
            ("abc", "ba/ba7816bf8f01cfea414140de5dae2223"), ("", "e3/e3b0c44298fc1c149afbf4c8996fb924"),
            ("https://example.org/a%2Fb.jpg?size=2", nil),
        ])
    func fileName(key: String, name: String?) throws {
        let cache = directory.cache()
        try cache.store(.sample(), for: CacheKey(key))
        let path = try directory.onlyFile
        #expect(path.contains(/\/entries-3\/([0-9a-f]{2})\/\1[0-9a-f]{30}$/))
        if let name { #expect(path == "\(directory.path)/entries-3/\(name)") }
        #expect(cache.cachePath(for: CacheKey(key)) == path)
    }

    @Test("DSK-11 C12 extended data are part of the file: no attribute of a file system is needed")
    func extendedDataInFile() throws {
        let entry = DiskCacheEntry(data: Data([1, 2]), extendedData: Data([3, 4, 5]))
        try closing(directory.cache()) { try $0.store(entry, for: key) }
        let path = try directory.onlyFile
        let other = try CacheDirectory()
        let copy = other.path + path.dropFirst(directory.path.count)
        try FileManager.default.createDirectory(
            at: URL(filePath: copy).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: copy))
        #expect(try other.cache().entry(for: key)?.extendedData == Data([3, 4, 5]))
    }

    @Test("DSK-10 a cache that is renamed, or whose files are moved to another one, keeps all entries")
    func movedDirectory() throws {
        let old = try CacheDirectory.filled(with: 5)
        let new = "\(directory.path)/moved"
        try FileManager.default.moveItem(atPath: old.path, toPath: new)
        let (counting, warnings) = (FaultyFileSystem(), CollectedWarnings())
        try closing(DiskCache(directory: new, fileSystem: counting, warn: { warnings.add($0) })) { cache in
            #expect(cache.usage() == directory.usageOfFiles && cache.present(of: 6) == [0, 1, 2, 3, 4])
            let entry = try cache.entry(for: CacheKey("4"))
            #expect(entry != nil)
        }
        let merged = try CacheDirectory()
        try closing(merged.cache()) { cache in
            try cache.store(.sample(count: 7), for: CacheKey("5"))
            _ = cache.usage()
        }
        for path in directory.files {
            let place = merged.path + path.dropFirst(new.count)
            try FileManager.default.createDirectory(
                at: URL(filePath: place).deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: path, toPath: place)
        }
        let cache = merged.cache(warnings: warnings)
        #expect(cache.usage() == merged.usageOfFiles && cache.present(of: 7) == [0, 1, 2, 3, 4, 5])
        #expect(warnings.all.isEmpty)
    }

    @Test("a directory some levels down is created with its parents, for the user only")
    func deepDirectory() throws {
        let cache = DiskCache(directory: "\(directory.path)/a/b/c")
        try cache.store(.sample(), for: key)
        #expect(try cache.entry(for: key) != nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/a/b")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let file = try FileManager.default.attributesOfItem(atPath: directory.onlyFile)
        #expect(file[.posixPermissions] as? Int == 0o600)
    }

    @Test("many threads at once: each entry is read whole, and the totals equal the files")
    func hammer() async throws {
        let cache = directory.cache()
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SplitMix(state: UInt64(worker))
                    for _ in 0..<400 {
                        let number = Int.random(in: 0..<20, using: &random)
                        let key = CacheKey("\(number)")
                        switch Int.random(in: 0..<10, using: &random) {
                        case 0..<4: try? cache.store(.sample(count: 100 * number, seed: UInt8(number)), for: key)
                        case 4..<6: try? cache.remove(for: key)
                        case 6: _ = cache.contains(key)
                        default:
                            guard let data = try? cache.entry(for: key)?.data else { continue }
                            #expect(data == DiskCacheEntry.sample(count: 100 * number, seed: UInt8(number)).data)
                        }
                    }
                }
            }
        }
        #expect(cache.usage() == directory.usageOfFiles)
        #expect(cache.usage() == directory.cache().usage())
    }
}
