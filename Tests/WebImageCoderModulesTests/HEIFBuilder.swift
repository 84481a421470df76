import FoundationEssentials

/// Builds HEIF files of AV1 pictures, box by box, including files that no encoder writes.
struct HEIFBuilder {
    struct Item {
        var type = "av01"
        /// The ranges of bytes in ``content``, in order.
        var extents: [Range<Int>]
        /// Whether the bytes are in the box `idat`, instead of after all boxes.
        var isInPool = false
        var size: [UInt8] = [24, 16]
        var isAlpha = false
        var hasSize = true
    }

    /// Numbered from 1; the first is the primary picture.
    var items: [Item]
    var references: [(type: String, item: UInt8, others: [UInt8])] = []
    /// The width of the numbers for the lengths of extents.
    var lengthWidth = 4
    /// After ``content``: the numbers of a grid or an overlay.
    var canvas: [UInt8] = []

    /// 24×16 pixels in AV1.
    static let content = Array(
        Data(
            base64Encoded:
                "EgAKCRgQ7+wQENBoQDI2FkAGGGGEAMOEPf19GxjfA3x7VIQY8PHUkuIlPLOTyitPkJeuUA8DdCHXp2PgX3O7SCUVicNg")
            ?? Data())
    static let picture = 0..<69

    /// An item that places others side by side.
    static func grid(columns: UInt8, rows: UInt8, width: Int, height: Int) -> (item: Item, canvas: [UInt8]) {
        canvas("grid", [0, 1, rows - 1, columns - 1], width, height, [])
    }

    /// An item that overlays others.
    static func overlay(of count: Int, width: Int, height: Int) -> (item: Item, canvas: [UInt8]) {
        canvas(
            "iovl", [0, 1] + [UInt8](repeating: 0, count: 8), width, height, [UInt8](repeating: 0, count: count * 8))
    }

    private static func canvas(
        _ type: String, _ head: [UInt8], _ width: Int, _ height: Int, _ tail: [UInt8]
    ) -> (item: Item, canvas: [UInt8]) {
        let canvas = head + number(width) + number(height) + tail
        let start = picture.upperBound
        return (Item(type: type, extents: [start..<start + canvas.count], isInPool: true), canvas)
    }

    func file() -> Data {
        let head = box("ftyp", Array("mif1".utf8) + [0, 0, 0, 0] + Array("mif1miaf".utf8))
        // The position of the bytes is known once the boxes before them are written.
        let start = head.count + meta(start: 0).count + 8
        return Data(head + meta(start: start) + box("mdat", Self.content + canvas))
    }

    private func meta(start: Int) -> [UInt8] {
        let handler = [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
        return box(
            "meta",
            [0, 0, 0, 0] + box("hdlr", handler) + box("pitm", [0, 0, 0, 0, 0, 1]) + locations(start: start) + kinds
                + box("iref", [0, 0, 0, 0] + references.flatMap(reference)) + properties
                + box("idat", Self.content + canvas))
    }

    private func locations(start: Int) -> [UInt8] {
        var entries: [UInt8] = []
        for (index, item) in items.enumerated() {
            entries += [0, UInt8(index + 1), 0, item.isInPool ? 1 : 0, 0, 0] + number(item.isInPool ? 0 : start)
            entries += [0, UInt8(item.extents.count)]
            for extent in item.extents {
                entries += number(extent.lowerBound) + number(extent.count).suffix(lengthWidth)
            }
        }
        return box("iloc", [1, 0, 0, 0, 0x40 | UInt8(lengthWidth), 0x40, 0, UInt8(items.count)] + entries)
    }

    private var kinds: [UInt8] {
        let entries = items.enumerated().flatMap { index, item in
            box("infe", [2, 0, 0, 0, 0, UInt8(index + 1), 0, 0] + Array(item.type.utf8) + [0])
        }
        return box("iinf", [0, 0, 0, 0, 0, UInt8(items.count)] + entries)
    }

    private func reference(_ type: String, _ item: UInt8, _ others: [UInt8]) -> [UInt8] {
        box(type, [0, item, 0, UInt8(others.count)] + others.flatMap { [0, $0] })
    }

    private var properties: [UInt8] {
        var (list, associations): ([UInt8], [UInt8]) = ([], [])
        var count: UInt8 = 0
        for (index, item) in items.enumerated() {
            let own = properties(of: item)
            list += own.flatMap { $0 }
            associations +=
                [0, UInt8(index + 1), UInt8(own.count)]
                + own.map { _ in
                    count += 1
                    return count
                }
        }
        return box("iprp", box("ipco", list) + box("ipma", [0, 0, 0, 0] + number(items.count) + associations))
    }

    private func properties(of item: Item) -> [[UInt8]] {
        let alpha = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0]
        return (item.hasSize ? [box("ispe", [0, 0, 0, 0] + item.size.flatMap { number(Int($0)) })] : [])
            + (item.type == "av01" ? [box("av1C", [0x81, 0, 0x0C, 0])] : [])
            + (item.isAlpha ? [box("auxC", [0, 0, 0, 0] + alpha)] : [])
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] { Self.box(type, content) }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(type.utf8) + content
    }

    private func number(_ value: Int) -> [UInt8] { Self.number(value) }

    private static func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) } }
}
