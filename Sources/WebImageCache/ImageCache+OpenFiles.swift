import WebImageCore

extension ImageCache {
    /// The bytes of an entry in its file; nil for a disk tier without files, and where there is no such entry. The file stays
    /// readable when the entry is removed. Blocks, and checks neither the bytes nor the rights.
    public func openFile(for key: CacheKey) -> RandomAccessFile? {
        guard let path = cachePath(for: key).map({ Array($0.utf8) + [0] }),
            let file = try? RandomAccessFile(path: path),
            let fixed = try? file.bytes(at: 0, count: DiskEntryFormat.fixedSize),
            let count = DiskEntryHeader.byteCount(of: fixed.span.bytes), count <= file.byteCount,
            let bytes = try? file.bytes(at: 0, count: count),
            let header = DiskEntryHeader(bytes.span.bytes, fileSize: file.byteCount)
        else { return nil }
        return file.part(header.body)
    }
}
