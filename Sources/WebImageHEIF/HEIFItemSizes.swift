import FoundationEssentials
import WebImage

/// The number of pixels that items decode to: by their bitstreams, which libheif follows regardless of the properties.
struct HEIFItemSizes {
    private static let pictures: Set<FourCharacterCode> = ["hvc1", "vvc1", "av01", "grid", "iovl", "iden"]
    /// The item types whose bitstream has a size.
    private static let sized = pictures.subtracting(["vvc1", "iden"])
    /// Bytes of a configuration that are not counted: more than any encoder writes.
    private static let shortConfiguration = 4096

    /// The input for a size. Items may share it: the tiles of a plain background are often identical.
    private struct Source: Hashable {
        let kind: FourCharacterCode
        let ranges: [Range<Int>]
        let configuration: Range<Int>?
    }

    private let items: HEIFItems
    private let kinds: [Int: FourCharacterCode]
    private let places: [Int: HEIFItems.Place]
    private let properties: [Int: [MediaBox]]
    private var known: [Source: PixelSize?] = [:]
    /// The number of bytes examined.
    private var readCount = 0

    init(_ items: HEIFItems) throws(WebImageError) {
        self.items = items
        kinds = try items.kinds()
        places = try items.places()
        properties = try ItemPropertyReader(items.data, format: items.format).propertiesOfItems()
    }

    /// The largest size in the item's bitstream; nil for other types, and where there is none.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for an AV1 picture without bytes, for which libheif 1.15 leaks
    ///   memory, and for a component that is missing or of an unknown type, which crashes it.
    mutating func size(of item: Int) throws(WebImageError) -> PixelSize? {
        let isPicture = kinds[item].map { Self.pictures.contains($0) } ?? false
        guard isPicture || !items.components.contains(item) else {
            throw .damaged(items.format, "it is made of a picture that is not there, or of an unknown kind")
        }
        guard kinds[item] != "av01" || places[item]?.isEmpty != true else {
            throw .damaged(items.format, "a part of its picture has no bytes")
        }
        guard let kind = kinds[item], Self.sized.contains(kind) else { return nil }
        let source = Source(
            kind: kind, ranges: places[item]?.ranges ?? [], configuration: configuration(of: item, of: kind))
        if let result = known[source] { return result }
        let size = try self.size(of: source)
        known.updateValue(size, forKey: source)
        return size
    }

    private mutating func size(of source: Source) throws(WebImageError) -> PixelSize? {
        let bytes = try bytes(of: source)
        let configuration = source.configuration.map { items.data[in: $0] } ?? Data()
        switch source.kind {
        // An empty slice to which nothing is appended ends the program, with Swift 6.3's Foundation.
        case "av01": return AV1Sequence.largestSize(in: Data() + configuration.dropFirst(4) + bytes)
        case "hvc1":
            let size = HEVCSequence.largestSize(inConfiguration: configuration.dropFirst(22), bytes: bytes)
            // Encoders pad a picture to blocks of at most 64 pixels, which the limits should not count.
            return size.map { PixelSize(width: max(1, $0.width - 63), height: max(1, $0.height - 63)) }
        case "grid": return sizeOfCanvas(bytes, start: 4)
        case "iovl": return sizeOfCanvas(bytes, start: 10)
        default: return nil
        }
    }

    /// - Throws: ``WebImageError/Code/badImageData`` where items overlap so often that examining all of them would take
    ///   much longer than the file's size justifies.
    private mutating func bytes(of source: Source) throws(WebImageError) -> Data {
        // The parts usually share one short configuration.
        let configurationCount = max(0, (source.configuration?.count ?? 0) - Self.shortConfiguration)
        readCount += source.ranges.reduce(configurationCount) { $0 + $1.count }
        guard readCount <= 4 * items.data.count + 1 << 16 else {
            throw .damaged(items.format, "its pictures are made of the same bytes too often")
        }
        // A single piece, which is the usual case, needs no copy.
        guard source.ranges.count != 1 else { return items.data[in: source.ranges[0]] }
        return source.ranges.reduce(into: Data()) { $0.append(items.data[in: $1]) }
    }

    private func configuration(of item: Int, of kind: FourCharacterCode) -> Range<Int>? {
        let types: [FourCharacterCode: FourCharacterCode] = ["av01": "av1C", "hvc1": "hvcC"]
        return types[kind].flatMap { type in properties[item]?.first { $0.type == type }?.content }
    }

    /// Version, flags and another field precede width and height (ISO/IEC 23008-12 §6.6.2).
    private func sizeOfCanvas(_ bytes: Data, start: Int) -> PixelSize? {
        guard let flags = bytes.dropFirst().first else { return nil }
        var reader = BitReader(bytes.dropFirst(start).prefix(8))
        let width = flags & 1 == 1 ? 32 : 16
        return PixelSize(width: reader.bits(width), height: reader.bits(width))
    }
}
