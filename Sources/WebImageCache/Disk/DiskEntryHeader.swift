import FoundationEssentials
import WebImageCore

/// The header of an entry's file; see ``DiskEntryFormat`` for the bytes.
struct DiskEntryHeader {
    let byteCount: Int
    let bodySize: Int
    let storedAt: Date
    let createdAt: Date
    let expiresAt: Date?
    let bodyChecksum: UInt64
    let rights: LoadRights
    let key: Range<Int>
    let fields: Range<Int>
    let extendedData: Range<Int>?
    let originalPixelSize: PixelSize?

    /// The fingerprint of the body.
    var fingerprint: FileFingerprint { FileFingerprint(byteCount: bodySize, checksum: bodyChecksum) }

    /// The range of the body in the file.
    var body: Range<Int> { byteCount..<byteCount + bodySize }

    /// The size of the header that begins with `bytes`; nil when that is not the beginning of a header.
    static func byteCount(of bytes: RawSpan) -> Int? {
        guard bytes.byteCount >= DiskEntryFormat.fixedSize,
            bytes.integer(at: 0, as: UInt64.self) == DiskEntryFormat.signature,
            bytes.integer(at: 8, as: UInt32.self) == DiskEntryFormat.version,
            let count = bytes.count(at: 12), count >= DiskEntryFormat.fixedSize + DiskEntryFormat.checksumSize
        else { return nil }
        return count
    }

    /// Reads a header; nil when it is damaged, or the file does not have the length that it says.
    ///
    /// - Parameter bytes: The beginning of the file, at least all of the header.
    init?(_ bytes: RawSpan, fileSize: Int) {
        guard let byteCount = Self.byteCount(of: bytes), byteCount <= bytes.byteCount,
            let bodySize = Int(exactly: bytes.integer(at: 16, as: UInt64.self)), fileSize - byteCount == bodySize,
            let keySize = bytes.count(at: 48), let fieldsSize = bytes.count(at: 52),
            let extendedSize = bytes.count(at: 56), let pixelSizeSize = bytes.count(at: 60),
            pixelSizeSize == 0 || pixelSizeSize == DiskEntryFormat.pixelSizeSize, let rights = Self.rights(bytes)
        else { return nil }
        key = DiskEntryFormat.fixedSize..<DiskEntryFormat.fixedSize + keySize
        fields = key.upperBound..<key.upperBound + fieldsSize
        let extended = fields.upperBound..<fields.upperBound + max(0, extendedSize - 1)
        extendedData = extendedSize == 0 ? nil : extended
        let variableEnd = extended.upperBound + pixelSizeSize
        guard DiskEntryFormat.headerSize(variableSize: variableEnd - key.lowerBound) == byteCount else { return nil }
        let checksumOffset = byteCount - DiskEntryFormat.checksumSize
        guard (variableEnd..<checksumOffset).allSatisfy({ bytes.integer(at: $0, as: UInt8.self) == 0 }),
            XXH3.checksum(of: bytes.extracting(0..<checksumOffset))
                == bytes.integer(at: checksumOffset, as: UInt64.self)
        else { return nil }
        originalPixelSize = pixelSizeSize == 0 ? nil : Self.pixelSize(bytes, at: extended.upperBound)
        guard (originalPixelSize == nil) == (pixelSizeSize == 0), let storedAt = Self.date(bytes, at: 24),
            let createdAt = Self.date(bytes, at: 32)
        else { return nil }
        let expiry = Self.seconds(bytes, at: 40)
        guard !expiry.isNaN else { return nil }
        self.byteCount = byteCount
        self.bodySize = bodySize
        self.storedAt = storedAt
        self.createdAt = createdAt
        expiresAt = expiry == .infinity ? nil : Date(timeIntervalSinceReferenceDate: expiry)
        bodyChecksum = bytes.integer(at: 64, as: UInt64.self)
        self.rights = rights
    }

    private static func rights(_ bytes: RawSpan) -> LoadRights? {
        let flags = bytes.integer(at: 72, as: UInt64.self)
        guard flags <= 1 else { return nil }
        var rights = LoadRights()
        rights.acceptsAnyCertificate = flags == 1
        rights.credential = bytes.integer(at: 80, as: UInt64.self)
        rights.decryptor = bytes.integer(at: 88, as: UInt64.self)
        return rights
    }

    private static func pixelSize(_ bytes: RawSpan, at offset: Int) -> PixelSize? {
        guard let width = bytes.count(at: offset), let height = bytes.count(at: offset + 4) else { return nil }
        let size = PixelSize(width: width, height: height)
        return size.isEmpty ? nil : size
    }

    /// nil for what is no number, and for more than 30,000 years from now, with which nothing can be calculated. Anyone may
    /// write such a header, into a tier that machines share.
    private static func date(_ bytes: RawSpan, at offset: Int) -> Date? {
        let seconds = Self.seconds(bytes, at: offset)
        return abs(seconds) < 1e12 ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }

    private static func seconds(_ bytes: RawSpan, at offset: Int) -> Double {
        Double(bitPattern: bytes.integer(at: offset, as: UInt64.self))
    }
}
