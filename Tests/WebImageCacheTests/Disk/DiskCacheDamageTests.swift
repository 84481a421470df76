import Foundation
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Disk cache: damaged files")
struct DiskCacheDamageTests {
    private let directory: CacheDirectory
    private let key = CacheKey("https://example.org/a.jpg")
    private let entry = DiskCacheEntry(
        data: Data("a small body".utf8), headers: ["etag": "\"1\""], extendedData: Data([1, 2, 3]),
        originalPixelSize: PixelSize(width: 4000, height: 3000))

    init() throws { directory = try CacheDirectory() }

    /// The file of the only entry, for tests that replace it.
    private func file() throws -> (bytes: Data, url: URL) {
        try closing(directory.cache()) { try $0.store(entry, for: key) }
        let url = URL(fileURLWithPath: try directory.onlyFile)
        return (try Data(contentsOf: url), url)
    }

    @Test("complaint 11: a bit flipped anywhere in the file makes the entry absent, never other bytes")
    func bitFlips() throws {
        let (bytes, url) = try file()
        let cache = directory.cache()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << (index % 8)
            try damaged.write(to: url)
            #expect(try cache.entry(for: key) == nil, "bit \(index % 8) of byte \(index)")
            #expect(!FileManager.default.fileExists(atPath: url.path), "a damaged file is removed")
        }
        #expect(cache.usage().count == 0)
    }

    @Test("a date that is absurd is damage", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func absurdDates(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        var entries = [entry, entry, entry]
        entries[0].storedAt = date
        entries[1].createdAt = date
        if seconds.isNaN { entries[2].expiresAt = date } else { entries.removeLast() }
        for entry in entries { #expect(try DiskCacheEntry(bytes: entry.bytes(for: key), for: key) == nil) }
        var endless = entry
        endless.expiresAt = Date(timeIntervalSinceReferenceDate: .infinity)
        endless.storedAt = .distantPast
        #expect(try DiskCacheEntry(bytes: endless.bytes(for: key), for: key) != nil)
    }

    @Test("complaint 11: every single bit of a file counts, and every pair of neighbours")
    func everyBit() throws {
        let bytes = try file().bytes
        #expect(try DiskEntryFormat.entry(in: memoryFile(bytes), for: key) != nil)
        for index in bytes.indices {
            for bit in 0..<8 {
                for pattern: UInt16 in [1, 3] {
                    var damaged = bytes
                    damaged[index] ^= UInt8(truncatingIfNeeded: pattern << bit)
                    if index + 1 < bytes.count { damaged[index + 1] ^= UInt8((pattern << bit) >> 8) }
                    #expect(try DiskEntryFormat.entry(in: memoryFile(damaged), for: key) == nil)
                }
            }
        }
    }

    @Test("complaint 11: a file cut off anywhere, or with bytes after its end, makes the entry absent")
    func lengths() throws {
        let (bytes, url) = try file()
        let cache = directory.cache()
        for count in bytes.indices {
            try bytes.prefix(count).write(to: url)
            #expect(try cache.entry(for: key) == nil, "the first \(count) bytes")
        }
        try (bytes + [0]).write(to: url)
        #expect(try cache.entry(for: key) == nil)
        try bytes.write(to: url)
        #expect(entry.isSame(as: try cache.entry(for: key)))
    }

    @Test("zeros, noise and lengths that add up to anything are no entry")
    func nonsense() throws {
        let bytes = try file().bytes
        var random = SplitMix(state: 1)
        for round in 0..<20_000 {
            var damaged = bytes
            for offset in [12, 16, 20, 48, 52, 56, 60].shuffled(using: &random).prefix(Int.random(in: 1...3)) {
                let value =
                    [0, 1, .max, .max - 1, UInt32(bytes.count), .random(in: 0 ... .max, using: &random)]
                    .randomElement(using: &random) ?? 0
                withUnsafeBytes(of: value.littleEndian) { damaged.replaceSubrange(offset..<offset + 4, with: $0) }
            }
            guard damaged != bytes else { continue }
            #expect(try DiskEntryFormat.entry(in: memoryFile(damaged), for: key) == nil, "round \(round)")
        }
        #expect(try DiskEntryFormat.entry(in: memoryFile(Data(count: bytes.count)), for: key) == nil)
    }

    @Test("lengths that contradict each other are no entry even when the checksums are right")
    func contradictions() throws {
        let bytes = try file().bytes
        for offset in [12, 16, 20, 48, 52, 56, 60] {
            for value in [0, 1, 63, 64, 65, 80, 128, UInt32(bytes.count), .max / 2, .max - 1, .max] {
                var forged = bytes
                withUnsafeBytes(of: value.littleEndian) { forged.replaceSubrange(offset..<offset + 4, with: $0) }
                guard forged != bytes else { continue }
                let headerSize = Int(bytes[12])
                let checksum = XXH3.checksum(of: forged[0..<headerSize - 8].bytes)
                withUnsafeBytes(of: checksum.littleEndian) {
                    forged.replaceSubrange(headerSize - 8..<headerSize, with: $0)
                }
                #expect(try DiskEntryFormat.entry(in: memoryFile(forged), for: key) == nil, "\(value) at \(offset)")
            }
        }
    }

    @Test("an undamaged file under another key's name is not that key's entry")
    func otherKey() throws {
        let (bytes, url) = try file()
        let cache = directory.cache()
        let other = CacheKey("https://example.org/b.jpg")
        try cache.store(entry, for: other)
        let otherFile = try #require(directory.files.first { $0 != url.path })
        try bytes.write(to: URL(fileURLWithPath: otherFile))
        #expect(try cache.entry(for: other) == nil)
        #expect(entry.isSame(as: try cache.entry(for: key)))
        try cache.store(entry, for: other)
        #expect(entry.isSame(as: try cache.entry(for: other)))
    }

    @Test("a key that is the beginning of another one's is another key")
    func prefixKey() throws {
        let (bytes, url) = try file()
        try bytes.write(to: url)
        #expect(try directory.cache().entry(for: CacheKey("https://example.org/a.jp")) == nil)
    }

    @Test("a symbolic link in place of a file is not followed: it is removed, and its target does not change")
    func symbolicLink() throws {
        let (bytes, url) = try file()
        let outside = try CacheDirectory()
        let target = "\(outside.path)/secret"
        try bytes.write(to: URL(fileURLWithPath: target))
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
        let cache = directory.cache()
        #expect(try cache.entry(for: key) == nil)
        #expect(directory.files.isEmpty)

        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
        try cache.store(.sample(), for: key)
        #expect(try cache.entry(for: key)?.data == DiskCacheEntry.sample().data)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == bytes)
        #expect(try FileManager.default.destinationOfSymbolicLinkIfAny(atPath: url.path) == nil)
    }

    @Test("a symbolic link in place of a directory leads nowhere: nothing outside is read, written, listed or removed")
    func linkedDirectory() throws {
        let (_, url) = try file()
        let outside = try CacheDirectory()
        let folder = url.deletingLastPathComponent()
        let moved = "\(outside.path)/moved"
        try FileManager.default.moveItem(atPath: folder.path, toPath: moved)
        try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: moved)
        let warnings = CollectedWarnings()
        let cache = directory.cache(warnings: warnings)
        #expect(throws: WebImageError.self) { try cache.entry(for: key) }
        #expect(throws: WebImageError.self) { try cache.store(entry, for: key) }
        #expect(throws: WebImageError.self) { try cache.remove(for: key) }
        #expect(cache.usage().count == 0)
        try cache.removeAll()
        #expect(outside.files.count == 1)
        #expect(warnings.all.count == 1)
    }

    @Test("a symbolic link that replaces a directory while the cache is in use: nothing outside is changed")
    func directoryReplacedByLink() throws {
        let (bytes, url) = try file()
        let cache = directory.cache()
        try cache.store(entry, for: key)
        let outside = try CacheDirectory()
        let folder = url.deletingLastPathComponent()
        let moved = "\(outside.path)/moved"
        try FileManager.default.moveItem(atPath: folder.path, toPath: moved)
        try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: moved)
        let new = DiskCacheEntry.sample()
        #expect(throws: WebImageError.self) { try cache.store(new, for: key) }
        #expect(throws: WebImageError.self) { try cache.remove(for: key) }
        _ = try? cache.removeAll()
        #expect(try Data(contentsOf: URL(filePath: "\(moved)/\(url.lastPathComponent)")) == bytes)
        #expect(outside.files.count == 1)
    }

    @Test("a directory that is replaced while the cache is in use: the new one counts")
    func directoryReplaced() throws {
        let cache = directory.cache()
        try cache.store(entry, for: key)
        let outside = try CacheDirectory()
        try FileManager.default.moveItem(atPath: directory.path, toPath: "\(outside.path)/moved")
        let other = CacheKey("https://example.org/b.jpg")
        try directory.cache().store(.sample(), for: other)
        #expect(try cache.entry(for: key) == nil && !cache.contains(key))
        #expect(try cache.entry(for: other)?.data == DiskCacheEntry.sample().data)
        try cache.store(.sample(seed: 2), for: key)
        try cache.removeAll()
        #expect(directory.files.isEmpty && outside.files.count == 1)
    }

    @Test("a pipe in place of a file blocks no call")
    func pipe() throws {
        let (_, url) = try file()
        try FileManager.default.removeItem(at: url)
        #expect(mkfifo(url.path, 0o600) == 0)
        let cache = directory.cache()
        #expect(try cache.entry(for: key) == nil)
        try cache.store(entry, for: key)
        #expect(entry.isSame(as: try cache.entry(for: key)))
    }

    @Test("a directory in place of a file is no entry, and a store replaces it", arguments: [true, false])
    func directoryInPlace(isRead: Bool) throws {
        let (_, url) = try file()
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        let cache = directory.cache()
        if isRead { #expect(try cache.entry(for: key) == nil) }
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key)?.data == entry.data && directory.files == [url.path])
    }

    @Test("a file larger than any entry is not read, and does not falsify the totals")
    func hugeFile() throws {
        let (_, url) = try file()
        #expect(truncate(url.path, 1 << 42) == 0)
        let cache = directory.cache()
        #expect(cache.usage().count == 1)
        #expect(try cache.entry(for: key) == nil)
        #expect(cache.usage() == DiskCacheUsage(count: 0, byteCount: 0))
    }

    @Test("files that are not entries are neither counted nor touched")
    func foreignFiles() throws {
        let (_, url) = try file()
        let folder = url.deletingLastPathComponent()
        let names = ["README", "\(url.lastPathComponent).bak", url.lastPathComponent.uppercased(), "0"]
        for name in names { try Data("x".utf8).write(to: folder.appendingPathComponent(name)) }
        let cache = directory.cache()
        #expect(cache.usage().count == 1)
        try cache.removeAll()
        #expect(Set(directory.files.map { String($0.split(separator: "/").last ?? "") }) == Set(names))
    }

    /// The file of an entry beside a partial file, without an index, so that all directories are listed.
    private func fileWithLeftOver() throws -> URL {
        let (_, url) = try file()
        try? FileManager.default.removeItem(atPath: "\(directory.path)/entries-3/snapshot")
        let leftOver = url.deletingLastPathComponent().appendingPathComponent(TemporaryName.make())
        try Data(count: 100).write(to: leftOver)
        return url
    }

    @Test("partial files of a crash are removed by the listing once they are old, not before")
    func leftOvers() throws {
        let url = try fileWithLeftOver()
        let clock = TestClock()
        clock.advance(by: 60)
        #expect(closing(directory.cache(clock: clock)) { $0.usage().count } == 1)
        #expect(directory.files.count == 2)
        clock.advance(by: 3600)
        #expect(closing(directory.cache(clock: clock)) { $0.usage().count } == 1)
        #expect(directory.files == [url.path])
    }

    @Test("partial files from before the clock was set back are removed by the next listing, too")
    func leftOversOfTheFuture() throws {
        let url = try fileWithLeftOver()
        let clock = TestClock()
        clock.advance(by: -3600)
        #expect(closing(directory.cache(clock: clock)) { $0.usage().count } == 1)
        #expect(directory.files == [url.path])
    }
}

extension FileManager {
    fileprivate func destinationOfSymbolicLinkIfAny(atPath path: String) throws -> String? {
        let type = try attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == .typeSymbolicLink ? try destinationOfSymbolicLink(atPath: path) : nil
    }
}

/// A file in memory only.
private func memoryFile(_ bytes: Data) throws -> FileBytes {
    let time = FileTime(nanoseconds: 0)
    let status = FileStatus(kind: .file, size: bytes.count, inode: 1, accessed: time, modified: time)
    return try #require(FileBytes(status: status, capacity: bytes.count) { bytes.copyBytes(to: $0) })
}
