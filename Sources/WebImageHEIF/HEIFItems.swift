import FoundationEssentials
import WebImage

/// Where the bytes of a HEIF file's items are, and of which items a picture is made (ISO/IEC 14496-12 §8.11).
///
/// The plugin for AV1 of libheif 1.15 loses memory for each decode of an item without bytes, and libheif tells nobody in
/// advance how many an item has.
struct HEIFItems {
    private let data: Data
    private let format: ImageFormat

    init(_ data: Data, format: ImageFormat) {
        self.data = data
        self.format = format
    }

    /// - Throws: ``WebImageError/Code/badImageData`` where libheif would look for AV1 pictures in no bytes to decode an item.
    func checkBytes(of item: Int) throws(WebImageError) {
        // libheif takes the last of several boxes, where there should be one.
        for meta in boxes(in: 0..<data.count) where meta.type == "meta" {
            let boxes = boxes(in: meta.content.dropFirst(MediaBox.versionLength))
            let empty = try emptyItems(boxes)
            guard !empty.isEmpty, try !empty.intersection(codedItems(boxes)).isDisjoint(with: parts(of: item, boxes))
            else { continue }
            throw .damaged(format, "a part of its picture has no bytes")
        }
    }

    private func boxes(in range: Range<Int>) -> [MediaBox] {
        MediaBox.readable(ByteReader(data, format: format, range: range))
    }

    /// A reader behind the version, and that.
    private func open(_ box: MediaBox) throws(WebImageError) -> (ByteReader, version: Int) {
        var reader = ByteReader(data, format: format, range: box.content)
        let version = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24
        return (reader, version)
    }
}

// MARK: Where their bytes are

extension HEIFItems {
    private func emptyItems(_ boxes: [MediaBox]) throws(WebImageError) -> Set<Int> {
        // libheif reads nothing of a box that goes on to the end of the file.
        let pool = boxes.first { $0.type == "idat" && !$0.isOpen }?.content.count ?? 0
        var result: Set<Int> = []
        for box in boxes where box.type == "iloc" { result.formUnion(try emptyItems(box, pool: pool)) }
        return result
    }

    /// - Parameter pool: How many bytes the box has in which items may lie that have none elsewhere in the file.
    private func emptyItems(_ box: MediaBox, pool: Int) throws(WebImageError) -> Set<Int> {
        var (reader, version) = try open(box)
        let widths = try NumberWidths(&reader, version: version)
        var result: Set<Int> = []
        for _ in 0..<(try reader.bigEndian(bytes: version < 2 ? 2 : 4)) {
            let item = try reader.bigEndian(bytes: version < 2 ? 2 : 4)
            let isInPool = version > 0 ? try reader.bigEndian(bytes: 2) & 15 == 1 : false
            // Which file it is in.
            try reader.skip(2)
            let base = try reader.bigEndian(bytes: widths.base)
            var isEmpty = true
            for _ in 0..<(try extentCount(&reader, widths)) {
                try reader.skip(widths.index)
                let start = base &+ (try reader.bigEndian(bytes: widths.offset))
                let length = try reader.bigEndian(bytes: widths.length)
                // Of what lies outside of the pool libheif takes nothing and goes on; outside of the file it gives up. A
                // length of 0, which stands for all that there is, is none to it.
                if isInPool ? length > 0 && start >= 0 && length <= pool - start : length != 0 { isEmpty = false }
            }
            if isEmpty { result.insert(item) }
        }
        return result
    }

    /// Of how many parts an item's bytes are; none where these are not even described, which would cost a file nothing.
    private func extentCount(_ reader: inout ByteReader, _ widths: NumberWidths) throws(WebImageError) -> Int {
        let count = try reader.bigEndian(bytes: 2)
        return widths.index + widths.offset + widths.length == 0 ? 0 : count
    }

    /// How many bytes the numbers of an `iloc` box have.
    private struct NumberWidths {
        let offset: Int
        let length: Int
        let base: Int
        let index: Int

        init(_ reader: inout ByteReader, version: Int) throws(WebImageError) {
            let widths = try reader.bigEndian(bytes: 2)
            (offset, length) = (widths >> 12, widths >> 8 & 15)
            (base, index) = (widths >> 4 & 15, version > 0 ? widths & 15 : 0)
            // libheif 1.15 steps over no index in version 1; nobody writes one, as it is for items made of others' bytes.
            guard [offset, length, base, index].allSatisfy({ [0, 4, 8].contains($0) }), version != 1 || index == 0
            else {
                throw .damaged(reader.format, "numbers in its list of items have widths that there are not")
            }
        }
    }
}

// MARK: What they are

extension HEIFItems {
    /// The AV1 pictures.
    private func codedItems(_ boxes: [MediaBox]) throws(WebImageError) -> Set<Int> {
        var result: Set<Int> = []
        for list in boxes where list.type == "iinf" {
            var (reader, version) = try open(list)
            try reader.skip(version == 0 ? 2 : 4)
            for box in self.boxes(in: reader.offset..<reader.end) where box.type == "infe" {
                var (reader, version) = try open(box)
                guard version >= 2 else { continue }
                let item = try reader.bigEndian(bytes: version == 2 ? 2 : 4)
                // Whether it is protected.
                try reader.skip(2)
                if try reader.fourCharacterCode() == "av01" { result.insert(item) }
            }
        }
        return result
    }

    /// The item itself, those that it is put together of, and all that are auxiliary to one of these, such as alpha.
    private func parts(of item: Int, _ boxes: [MediaBox]) throws(WebImageError) -> Set<Int> {
        let parts = try parts(boxes)
        var (result, waiting): (Set<Int>, [Int]) = ([item], [item])
        while let next = waiting.popLast() {
            for part in parts[next] ?? [] where result.insert(part).inserted { waiting.append(part) }
        }
        return result
    }

    private func parts(_ boxes: [MediaBox]) throws(WebImageError) -> [Int: [Int]] {
        var result: [Int: [Int]] = [:]
        for list in boxes where list.type == "iref" {
            let (reader, version) = try open(list)
            let width = version == 0 ? 2 : 4
            for box in self.boxes(in: reader.offset..<reader.end) where box.type == "dimg" || box.type == "auxl" {
                var reader = ByteReader(data, format: format, range: box.content)
                let item = try reader.bigEndian(bytes: width)
                for _ in 0..<(try reader.bigEndian(bytes: 2)) {
                    let other = try reader.bigEndian(bytes: width)
                    let (whole, part) = box.type == "dimg" ? (item, other) : (other, item)
                    result[whole, default: []].append(part)
                }
            }
        }
        return result
    }
}
