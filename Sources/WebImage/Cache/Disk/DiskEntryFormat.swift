import FoundationEssentials

/// The file of one entry: a header that says all there is to know of the body, then the body.
///
/// | bytes | what (integers in little-endian order) |
/// |---|---|
/// | 0–7 | the signature, chosen like PNG's to show damage by transfers in text mode |
/// | 8–11 | the version, 1 |
/// | 12–15 | bytes of the header, this table and what follows it |
/// | 16–23 | bytes of the body |
/// | 24–31 | when it was stored: seconds since 2001-01-01 UTC as a double |
/// | 32–35, 36–39, 40–43 | bytes of the key, of the HTTP fields, and of the extended data plus 1 (0: there are none) |
/// | 44–47 | CRC-32 of the body |
/// | 48–51 | CRC-32 of the header without these four bytes |
/// | 52– | the key; the HTTP fields, each as length, name, length, value; the extended data |
///
/// A file that is not exactly this is damaged. There is no repair: the picture is loaded again.
enum DiskEntryFormat {
    /// Bytes of the largest file that is written, and that is read at all.
    static let largestFile = 1 << 31

    /// 0x89, "WIC", carriage return, line feed, end of file, line feed.
    private static let signature: UInt64 = 0x0A1A_0A0D_4349_5789
    private static let version: UInt32 = 1
    private static let checksumOffset = 48
    private static let fixedSize = 52

    /// The bytes that come before the body.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when the file would be larger than ``largestFile``.
    static func header(for entry: DiskCacheEntry, key: CacheKey) throws(WebImageError) -> Data {
        let fields = encode(entry.headers)
        let variableSize = key.string.utf8.count + fields.count + (entry.extendedData?.count ?? 0)
        guard fixedSize + variableSize + entry.data.count <= largestFile else { throw .entryTooLarge(key) }

        var header = Data(capacity: fixedSize + variableSize)
        header.append(integer: signature)
        header.append(integer: version)
        header.append(integer: UInt32(fixedSize + variableSize))
        header.append(integer: UInt64(entry.data.count))
        header.append(integer: entry.storedAt.timeIntervalSinceReferenceDate.bitPattern)
        header.append(integer: UInt32(key.string.utf8.count))
        header.append(integer: UInt32(fields.count))
        header.append(integer: UInt32(entry.extendedData.map { $0.count + 1 } ?? 0))
        header.append(integer: CRC32.checksum(of: entry.data.bytes))
        let beforeChecksum = CRC32.checksum(of: header.bytes)

        var rest = Data(capacity: variableSize)
        rest.append(contentsOf: key.string.utf8)
        rest.append(fields)
        if let extendedData = entry.extendedData { rest.append(extendedData) }
        header.append(integer: CRC32.checksum(of: rest.bytes, after: beforeChecksum))
        header.append(rest)
        return header
    }

    /// The entry in a file; nil when the file is damaged or holds another key.
    static func entry(in file: FileBytes, for key: CacheKey) -> DiskCacheEntry? {
        file.withBytes { bytes in
            guard let header = Header(bytes), bytes.holds(key.string, in: header.key),
                let headers = decode(bytes.extracting(header.fields))
            else { return nil }
            return DiskCacheEntry(
                data: file.data(in: header.body), storedAt: header.storedAt, headers: headers,
                extendedData: header.extendedData.map { file.data(in: $0) })
        }
    }

    /// The parts of a file whose lengths and checksums are right.
    private struct Header {
        let storedAt: Date
        let key: Range<Int>
        let fields: Range<Int>
        let extendedData: Range<Int>?
        let body: Range<Int>

        init?(_ bytes: RawSpan) {
            guard bytes.byteCount >= fixedSize, bytes.integer(at: 0, as: UInt64.self) == signature,
                bytes.integer(at: 8, as: UInt32.self) == version,
                let headerSize = bytes.count(at: 12),
                let bodySize = Int(exactly: bytes.integer(at: 16, as: UInt64.self)),
                headerSize >= fixedSize, headerSize <= bytes.byteCount, bytes.byteCount - headerSize == bodySize,
                let keySize = bytes.count(at: 32), let fieldsSize = bytes.count(at: 36),
                let extendedSize = bytes.count(at: 40)
            else { return nil }
            key = fixedSize..<fixedSize + keySize
            fields = key.upperBound..<key.upperBound + fieldsSize
            let extended = fields.upperBound..<fields.upperBound + max(0, extendedSize - 1)
            extendedData = extendedSize == 0 ? nil : extended
            body = headerSize..<bytes.byteCount
            storedAt = Date(
                timeIntervalSinceReferenceDate: Double(bitPattern: bytes.integer(at: 24, as: UInt64.self)))

            guard extended.upperBound == headerSize else { return nil }
            let beforeChecksum = CRC32.checksum(of: bytes.extracting(0..<checksumOffset))
            let checksum = CRC32.checksum(of: bytes.extracting(fixedSize..<headerSize), after: beforeChecksum)
            guard checksum == bytes.integer(at: checksumOffset, as: UInt32.self),
                CRC32.checksum(of: bytes.extracting(body)) == bytes.integer(at: 44, as: UInt32.self)
            else { return nil }
        }
    }

    private static func encode(_ headers: [String: String]) -> Data {
        var data = Data()
        for text in headers.sorted(by: { $0.key < $1.key }).flatMap({ [$0.key, $0.value] }) {
            data.append(integer: UInt32(text.utf8.count))
            data.append(contentsOf: text.utf8)
        }
        return data
    }

    private static func decode(_ bytes: RawSpan) -> [String: String]? {
        var texts: [String] = []
        var offset = 0
        while offset < bytes.byteCount {
            guard bytes.byteCount - offset >= 4, let size = bytes.count(at: offset),
                size <= bytes.byteCount - offset - 4
            else { return nil }
            texts.append(bytes.text(in: offset + 4..<offset + 4 + size))
            offset += 4 + size
        }
        guard texts.count.isMultiple(of: 2) else { return nil }
        let pairs = stride(from: 0, to: texts.count, by: 2).map { (texts[$0], texts[$0 + 1]) }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension WebImageError {
    fileprivate static func entryTooLarge(_ key: CacheKey) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .store, kind: .policy,
            reason: "cannot cache \(key): an entry may have 2 GiB at most, with its key and header fields")
    }
}
