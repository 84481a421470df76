import CDeflate
import FoundationEssentials
import WebImageCore

/// A small PNG file of some rows of a large one, without compression, so that the ordinary decoder converts them.
struct PNGStrip {
    /// Everything before the pixels but the header: the palette and the transparent colour.
    private let colors: Data
    private let header: PNGHeader

    private static let largestBlock = 0xFFFF

    /// - Parameter skeleton: The chunks of the large file.
    init(_ header: PNGHeader, _ skeleton: Data) throws(WebImageError) {
        self.header = header
        var colors = Data()
        var reader = ByteReader(skeleton, format: .png)
        try reader.skip(PNGReader.signature.count)
        while reader.remaining >= 12 {
            let start = reader.offset
            let length = try reader.bigEndian(bytes: 4)
            let type = try reader.fourCharacterCode()
            try reader.skip(length + 4)
            if type == "IDAT" { break }
            if type == "PLTE" || type == "tRNS" { colors.append(skeleton[in: start..<reader.offset]) }
        }
        self.colors = colors
    }

    /// The file of rows that have the filter number 0 before each.
    func file(_ rows: UnsafeRawBufferPointer, height: Int) -> Data {
        var data = Data(PNGReader.signature)
        data.reserveCapacity(rows.count + rows.count / 1000 + colors.count + 256)
        var fields = Data()
        fields.append(bigEndian: UInt32(header.size.width))
        fields.append(bigEndian: UInt32(height))
        fields.append(contentsOf: [UInt8(header.bitDepth), header.colorType.rawValue, 0, 0, 0])
        data.append(chunk: "IHDR", fields)
        data.append(colors)
        data.append(chunk: "IDAT", Self.stored(rows))
        data.append(chunk: "IEND", Data())
        return data
    }

    /// A zlib stream of blocks that are not compressed (RFC 1951 §3.2.4).
    private static func stored(_ bytes: UnsafeRawBufferPointer) -> Data {
        var data = Data([0x78, 0x01])
        data.reserveCapacity(bytes.count + bytes.count / largestBlock * 5 + 16)
        var start = 0
        repeat {
            let count = min(largestBlock, bytes.count - start)
            data.append(start + count == bytes.count ? 1 : 0)
            data.append(integer: UInt16(count))
            data.append(integer: ~UInt16(count))
            data.append(contentsOf: bytes[start..<start + count])
            start += count
        } while start < bytes.count
        data.append(bigEndian: libdeflate_adler32(1, bytes.baseAddress, bytes.count))
        return data
    }
}

extension Data {
    fileprivate mutating func append(bigEndian number: UInt32) { append(integer: number.bigEndian) }

    fileprivate mutating func append(chunk type: String, _ content: Data) {
        append(bigEndian: UInt32(content.count))
        let start = count
        append(contentsOf: type.utf8)
        append(content)
        let sum = withUnsafeBytes { bytes in
            libdeflate_crc32(0, bytes.baseAddress.map { $0 + start }, bytes.count - start)
        }
        append(bigEndian: sum)
    }
}
