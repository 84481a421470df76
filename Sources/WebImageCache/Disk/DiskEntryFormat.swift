import FoundationEssentials
import WebImageCore

/// The file of one entry: a header that describes the entry, then the body.
///
/// | bytes | what (integers in little-endian order, dates as seconds since 2001-01-01 UTC in a double) |
/// |---|---|
/// | 0–7 | the signature, chosen like PNG's to show damage by transfers in text mode |
/// | 8–11 | the version, 3 |
/// | 12–15 | bytes of the header: everything before the body, a multiple of 64 |
/// | 16–23 | bytes of the body |
/// | 24–31, 32–39 | when it was stored, and stored first |
/// | 40–47 | when it expires; infinity for never |
/// | 48–51, 52–55, 56–59 | bytes of the key, of the HTTP fields, and of the extended data plus 1 (0: there are none) |
/// | 60–63 | bytes of the whole picture's size: 8 for the file of a reduced one, else 0 |
/// | 64–71 | XXH3 of the body |
/// | 72–79 | 1 when the server's certificate was not checked, else 0 |
/// | 80–87, 88–95 | the credential and the decryptor of its load, as hashes; 0 without one |
/// | 96– | the key; the HTTP fields, each as length, name, length, value; the extended data; the width and the height of the whole picture in four bytes each; zeros |
/// | the last 8 | XXH3 of the header without these eight bytes |
///
/// A file that is not exactly this is no entry. There is no repair: the picture is loaded again.
enum DiskEntryFormat {
    /// Bytes of the largest file that is written or read.
    static let largestFile = 1 << 31

    /// 0x89, "WIC", carriage return, line feed, end of file, line feed.
    static let signature: UInt64 = 0x0A1A_0A0D_4349_5789
    static let version: UInt32 = 3
    static let fixedSize = 96
    static let checksumSize = 8
    static let pixelSizeSize = 8

    /// Bytes of a header whose key, fields, extended data and whole size take `variableSize`.
    static func headerSize(variableSize: Int) -> Int {
        // The body is aligned in memory as well: its checksum is a tenth faster.
        (fixedSize + variableSize + checksumSize + 63) & ~63
    }

    /// The bytes before the body.
    ///
    /// - Parameter createdAt: nil for the date of the entry itself.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when the file would be larger than ``largestFile``, or the extended
    ///   data are larger than ``DiskCacheEntry/largestExtendedData``.
    static func header(
        for entry: DiskCacheEntry, createdAt: Date? = nil, key: CacheKey
    ) throws(WebImageError) -> Data {
        let keySize = key.string.utf8.count
        let fields = entry.fields(for: key).encoded
        let extendedSize = entry.extendedData?.count ?? 0
        let pixelSize = entry.originalPixelSize?.encoded ?? Data()
        guard extendedSize <= DiskCacheEntry.largestExtendedData else { throw .extendedDataTooLarge(key, extendedSize) }
        let headerSize = headerSize(variableSize: keySize + fields.count + extendedSize + pixelSize.count)
        guard headerSize + entry.data.count <= largestFile else { throw .entryTooLarge(key) }

        // An array, since additions to `Data` take ten times as long.
        var header: [UInt8] = []
        header.reserveCapacity(headerSize)
        header.append(integer: signature)
        header.append(integer: version)
        header.append(integer: UInt32(headerSize))
        header.append(integer: UInt64(entry.data.count))
        header.append(date: entry.storedAt)
        header.append(date: createdAt ?? entry.createdAt)
        header.append(date: entry.expiresAt ?? Date(timeIntervalSinceReferenceDate: .infinity))
        header.append(integer: UInt32(keySize))
        header.append(integer: UInt32(fields.count))
        header.append(integer: UInt32(entry.extendedData == nil ? 0 : extendedSize + 1))
        header.append(integer: UInt32(pixelSize.count))
        header.append(integer: XXH3.checksum(of: entry.data.bytes))
        header.append(integer: entry.rights.acceptsAnyCertificate ? 1 : 0 as UInt64)
        header.append(integer: entry.rights.credential)
        header.append(integer: entry.rights.decryptor)
        header.append(contentsOf: key.string.utf8)
        header.append(contentsOf: fields)
        if let extendedData = entry.extendedData { header.append(contentsOf: extendedData) }
        header.append(contentsOf: pixelSize)
        header.append(contentsOf: repeatElement(0, count: headerSize - checksumSize - header.count))
        header.append(integer: XXH3.checksum(of: header.span.bytes))
        return Data(header)
    }

    /// The entry in a file; nil when the file is damaged or holds another key.
    static func entry(in file: FileBytes, for key: CacheKey) -> DiskCacheEntry? {
        file.withBytes { bytes in
            guard let header = DiskEntryHeader(bytes, fileSize: file.count), bytes.holds(key.string, in: header.key),
                holdsBody(of: header, bytes), let fields = HTTPFields(file.data(in: header.fields))
            else { return nil }
            return DiskCacheEntry(
                data: file.data(in: header.body), storedAt: header.storedAt, createdAt: header.createdAt,
                expiresAt: header.expiresAt, fields: fields,
                extendedData: header.extendedData.map { file.data(in: $0) },
                originalPixelSize: header.originalPixelSize, rights: header.rights)
        }
    }

    /// Whether a file is an undamaged entry with the name that its key requires.
    static func isWhole(_ file: FileBytes, named name: DiskEntryName) -> Bool {
        file.withBytes { bytes in
            guard let header = DiskEntryHeader(bytes, fileSize: file.count),
                let fields = HTTPFields(file.data(in: header.fields))
            else { return false }
            return DiskEntryName(CacheKey(bytes.text(in: header.key), fields)) == name && holdsBody(of: header, bytes)
        }
    }

    /// Whether a file was written by a program that uses another format: no entry, and no damage.
    static func isOfOtherVersion(_ file: FileBytes) -> Bool {
        file.withBytes { bytes in
            bytes.byteCount >= 12 && bytes.integer(at: 0, as: UInt64.self) == signature
                && bytes.integer(at: 8, as: UInt32.self) != version
        }
    }

    /// Whether the body has the header's checksum.
    static func holdsBody(of header: DiskEntryHeader, _ file: RawSpan) -> Bool {
        file.byteCount == header.body.upperBound
            && XXH3.checksum(of: file.extracting(header.body)) == header.bodyChecksum
    }
}

extension DiskCacheEntry {
    /// The fields, with the original's key where the entry's own is derived from it, and only there.
    fileprivate func fields(for key: CacheKey) -> HTTPFields {
        var dictionary = fields.dictionary
        let original = key.isDerived ? key.original.string : nil
        guard dictionary[HTTPRecord.originalKey] != original else { return fields }
        dictionary[HTTPRecord.originalKey] = original
        return .decoded(dictionary)
    }
}

extension CacheKey {
    /// The key of an entry with these fields.
    init(_ text: String, _ fields: HTTPFields) {
        let original = fields.dictionary[HTTPRecord.originalKey]
        self.init(text, derivation: original.flatMap { KeyDerivation(of: text, from: $0) })
    }
}

extension PixelSize {
    /// As in a header; nil for sizes that do not fit, and without a size.
    fileprivate var encoded: Data? {
        guard !isEmpty, let width = UInt32(exactly: width), let height = UInt32(exactly: height) else { return nil }
        var data = Data(capacity: DiskEntryFormat.pixelSizeSize)
        data.append(integer: width)
        data.append(integer: height)
        return data
    }
}

extension [UInt8] {
    fileprivate mutating func append(date: Date) {
        append(integer: date.timeIntervalSinceReferenceDate.bitPattern)
    }
}

extension WebImageError {
    fileprivate static func entryTooLarge(_ key: CacheKey) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .store, kind: .policy,
            reason: "cannot cache \(key): an entry may have 2 GiB at most, with its key and header fields")
    }

    fileprivate static func extendedDataTooLarge(_ key: CacheKey, _ size: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .store, kind: .policy,
            reason: "cannot cache \(key): its extended data are \(size) bytes, and may be "
                + "\(DiskCacheEntry.largestExtendedData) at most; keep what is larger elsewhere")
    }
}
