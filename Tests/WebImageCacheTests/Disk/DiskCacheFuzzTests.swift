import Foundation
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCache

@Suite("Disk cache: any bytes in place of an entry")
struct DiskCacheFuzzTests {
    private let key = CacheKey("https://example.org/a.jpg")
    private let entry = DiskCacheEntry(
        data: Data((0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }),
        headers: ["etag": "\"1\"", "content-type": "image/jpeg"], extendedData: Data([1, 2, 3]),
        expiresAt: Date(timeIntervalSinceReferenceDate: 900_000_000))

    private func file() throws -> Data { try DiskEntryFormat.header(for: entry, key: key) + entry.data }

    private func inMemory(_ bytes: Data) throws -> FileBytes {
        let time = FileTime(nanoseconds: 0)
        let status = FileStatus(kind: .file, size: bytes.count, inode: 1, accessed: time, modified: time)
        return try #require(FileBytes(status: status, capacity: bytes.count) { bytes.copyBytes(to: $0) })
    }

    @Test("100,000 damaged files: none crashes the reader, none gives bytes that were never stored", arguments: 0..<4)
    func damaged(part: Int) throws {
        let file = try file()
        var mutator = FileMutator(seed: UInt64(part))
        for round in 0..<25_000 {
            let damaged = mutator.mutate(file)
            guard damaged != file else { continue }
            #expect(try DiskEntryFormat.entry(in: inMemory(damaged), for: key) == nil, "\(part), \(round)")
        }
    }

    @Test("20,000 random headers with correct checksums crash neither reader nor lister")
    func forged() throws {
        let file = try file()
        var mutator = FileMutator(seed: 5)
        var readable = 0
        for _ in 0..<20_000 {
            var forged = mutator.mutate(file)
            sign(&forged)
            let bytes = try inMemory(forged)
            let entry = DiskEntryFormat.entry(in: bytes, for: key)
            _ = entry?.headers
            _ = DiskCacheEntrySummary(bytes, path: "")
            _ = DiskEntryFormat.isWhole(bytes, named: DiskEntryName(key))
            readable += entry == nil ? 0 : 1
        }
        #expect(readable > 100, "the forger gets past the checksums")
    }

    /// Corrects the checksums at the places that the lengths in the header determine.
    private func sign(_ file: inout Data) {
        guard file.count >= 80 else { return }
        let size = file[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size >= 80, size <= file.count else { return }
        put(XXH3.checksum(of: file[size...].bytes), into: &file, at: 64)
        put(XXH3.checksum(of: file[..<(size - 8)].bytes), into: &file, at: size - 8)
    }

    private func put(_ checksum: UInt64, into file: inout Data, at offset: Int) {
        withUnsafeBytes(of: checksum.littleEndian) { file.replaceSubrange(offset..<offset + 8, with: $0) }
    }
}
