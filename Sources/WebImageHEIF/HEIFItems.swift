import FoundationEssentials
import WebImage

/// The items of a HEIF file: their types, the location of their bytes, and their parts (ISO/IEC 14496-12 §8.11).
///
/// libheif does not report these before it decodes, and version 1.15 trusts them: see the checks.
struct HEIFItems {
    let data: Data
    let format: ImageFormat
    /// For each item, its parts and its auxiliary items, such as alpha.
    let parts: [Int: [Int]]
    /// Items that are parts of others.
    let components: Set<Int>

    private let boxes: [MediaBox]

    /// Reads the references only.
    ///
    /// - Throws: Where boxes are malformed; libheif might read them differently.
    init(_ data: Data, format: ImageFormat) throws(WebImageError) {
        let lists = MediaBox.readable(ByteReader(data, format: format)).filter { $0.type == "meta" }
        guard lists.count <= 1 else { throw .damaged(format, "it has several lists of items") }
        var (boxes, parts): ([MediaBox], [Int: [Int]]) = ([], [:])
        var components: Set<Int> = []
        if let list = lists.first {
            let content = list.content.dropFirst(MediaBox.versionLength)
            boxes = try MediaBox.all(ByteReader(data, format: format, range: content))
        }
        for box in boxes where box.type == "iref" { try Self.addParts(of: box, data, format, to: &parts, &components) }
        (self.data, self.format, self.boxes, self.parts, self.components) = (data, format, boxes, parts, components)
    }

    private static func addParts(
        of list: MediaBox, _ data: Data, _ format: ImageFormat, to parts: inout [Int: [Int]],
        _ components: inout Set<Int>
    ) throws(WebImageError) {
        var reader = ByteReader(data, format: format, range: list.content)
        let width = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24 == 0 ? 2 : 4
        while !reader.isAtEnd {
            let box = try MediaBox(&reader)
            var reader = ByteReader(data, format: format, range: box.content)
            let item = try reader.bigEndian(bytes: width)
            for _ in 0..<(try reader.bigEndian(bytes: 2)) {
                let other = try reader.bigEndian(bytes: width)
                if box.type == "dimg" {
                    parts[item, default: []].append(other)
                    components.insert(other)
                }
                if box.type == "auxl" { parts[other, default: []].append(item) }
            }
            // libheif continues after the last number, wherever the box ends.
            guard reader.isAtEnd else { throw .damaged(format, "one of its references is longer than it says") }
        }
    }
}

// MARK: Types

extension HEIFItems {
    /// The number of the primary picture's item; nil where the file does not say.
    var primary: Int? {
        guard let box = boxes.first(where: { $0.type == "pitm" }) else { return nil }
        var reader = ByteReader(data, format: format, range: box.content)
        guard let version = try? reader.bigEndian(bytes: MediaBox.versionLength) >> 24 else { return nil }
        return try? reader.bigEndian(bytes: version == 0 ? 2 : 4)
    }

    /// The type of each item.
    func kinds() throws(WebImageError) -> [Int: FourCharacterCode] {
        var result: [Int: FourCharacterCode] = [:]
        for list in boxes where list.type == "iinf" {
            var reader = ByteReader(data, format: format, range: list.content)
            let version = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24
            try reader.skip(version == 0 ? 2 : 4)
            for box in try MediaBox.all(reader) where box.type == "infe" {
                guard let (item, kind) = try kind(box) else { continue }
                guard result.updateValue(kind, forKey: item) == nil else {
                    throw .damaged(format, "two of its items have the same number")
                }
            }
        }
        return result
    }

    private func kind(_ box: MediaBox) throws(WebImageError) -> (Int, FourCharacterCode)? {
        var reader = ByteReader(data, format: format, range: box.content)
        let version = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24
        guard version >= 2 else { return nil }
        let item = try reader.bigEndian(bytes: version == 2 ? 2 : 4)
        // The protection index.
        try reader.skip(2)
        return (item, try reader.fourCharacterCode())
    }
}

// MARK: Locations

extension HEIFItems {
    /// The location of an item's bytes.
    struct Place {
        var ranges: [Range<Int>] = []
        /// Whether libheif would read nothing.
        var isEmpty = true
    }

    /// The location of each item's bytes.
    func places() throws(WebImageError) -> [Int: Place] {
        // libheif ignores a box that extends to the end of the file.
        let pool = boxes.first { $0.type == "idat" }.flatMap { $0.isOpen ? nil : $0.content } ?? 0..<0
        var result: [Int: Place] = [:]
        for box in boxes where box.type == "iloc" { try addPlaces(of: box, pool: pool, to: &result) }
        return result
    }

    /// - Parameter pool: The `idat` box, for items that have no bytes elsewhere in the file.
    private func addPlaces(
        of box: MediaBox, pool: Range<Int>, to places: inout [Int: Place]
    ) throws(WebImageError) {
        var reader = ByteReader(data, format: format, range: box.content)
        let version = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24
        let widths = try NumberWidths(&reader, version: version)
        for _ in 0..<(try reader.bigEndian(bytes: version < 2 ? 2 : 4)) {
            let item = try reader.bigEndian(bytes: version < 2 ? 2 : 4)
            let isInPool = version > 0 ? try reader.bigEndian(bytes: 2) & 15 == 1 : false
            // The data reference: which file has the bytes.
            try reader.skip(2)
            let place = try place(&reader, widths, pool: isInPool ? pool : nil)
            guard places.updateValue(place, forKey: item) == nil else {
                throw .damaged(format, "one of its items is in two places")
            }
        }
    }

    private func place(
        _ reader: inout ByteReader, _ widths: NumberWidths, pool: Range<Int>?
    ) throws(WebImageError) -> Place {
        let base = try reader.bigEndian(bytes: widths.base)
        let count = try reader.bigEndian(bytes: 2)
        var place = Place()
        // Extents without any field would be free, in any number.
        guard widths.index + widths.offset + widths.length > 0 else { return place }
        for _ in 0..<count {
            try reader.skip(widths.index)
            let start = base &+ (try reader.bigEndian(bytes: widths.offset))
            // A length of 0 means "up to the end", but libheif reads nothing.
            let length = try reader.bigEndian(bytes: widths.length)
            // libheif skips bytes outside of the pool, and gives up on bytes outside of the file.
            let room = pool ?? 0..<data.count
            let isInside = length > 0 && start >= 0 && start <= room.count && length <= room.count - start
            if isInside { place.ranges.append(room.lowerBound + start..<room.lowerBound + start + length) }
            if isInside || pool == nil && length != 0 { place.isEmpty = false }
        }
        return place
    }

    /// The widths of the numbers of an `iloc` box, in bytes.
    private struct NumberWidths {
        let offset: Int
        let length: Int
        let base: Int
        let index: Int

        init(_ reader: inout ByteReader, version: Int) throws(WebImageError) {
            let widths = try reader.bigEndian(bytes: 2)
            (offset, length) = (widths >> 12, widths >> 8 & 15)
            (base, index) = (widths >> 4 & 15, version > 0 ? widths & 15 : 0)
            // libheif 1.15 does not skip the index in version 1. No writer uses it: it is for items made of other
            // items' bytes.
            guard [offset, length, base, index].allSatisfy({ [0, 4, 8].contains($0) }), version != 1 || index == 0
            else {
                throw .damaged(reader.format, "numbers in its list of items have widths that there are not")
            }
        }
    }
}
