import FoundationEssentials
import WebImage

/// How many pixels items are decoded to: by their own bytes, which libheif follows, whatever their properties say.
struct HEIFItemSizes {
    private static let pictures: Set<FourCharacterCode> = ["hvc1", "vvc1", "av01", "grid", "iovl", "iden"]
    /// Those whose bytes say how large they are.
    private static let sized = pictures.subtracting(["vvc1", "iden"])
    /// Bytes of a configuration that count for nothing: longer than any encoder's.
    private static let shortConfiguration = 4096

    /// What a size follows from. Items may have that in common: the parts of a plain background are often the same.
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
    /// Bytes that were looked through.
    private var readCount = 0

    init(_ items: HEIFItems) throws(WebImageError) {
        self.items = items
        kinds = try items.kinds()
        places = try items.places()
        properties = try ItemPropertyReader(items.data, format: items.format).propertiesOfItems()
    }

    /// The largest that its bytes name; nil where they are of another kind, or do not say.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for an AV1 picture without bytes, and for a component that is none:
    ///   libheif 1.15 ends the process where there is no picture of a kind that it knows.
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
        case "av01": return AV1Sequence.largestSize(in: configuration.dropFirst(4) + bytes)
        case "hvc1":
            let size = HEVCSequence.largestSize(inConfiguration: configuration.dropFirst(22), bytes: bytes)
            // Encoders fill a picture up with blocks of at most 64 pixels, which no limit is meant to count.
            return size.map { PixelSize(width: max(1, $0.width - 63), height: max(1, $0.height - 63)) }
        case "grid": return sizeOfCanvas(bytes, start: 4)
        case "iovl": return sizeOfCanvas(bytes, start: 10)
        default: return nil
        }
    }

    /// - Throws: ``WebImageError/Code/badImageData`` where items lie over each other so often that to look through them all
    ///   would take much longer than the file is.
    private mutating func bytes(of source: Source) throws(WebImageError) -> Data {
        // Parts have one configuration in common, as a rule, which is short.
        let configurationCount = max(0, (source.configuration?.count ?? 0) - Self.shortConfiguration)
        readCount += source.ranges.reduce(configurationCount) { $0 + $1.count }
        guard readCount <= 4 * items.data.count + 1 << 16 else {
            throw .damaged(items.format, "its pictures are made of the same bytes too often")
        }
        // One piece, as a rule, is not copied.
        guard source.ranges.count != 1 else { return items.data[in: source.ranges[0]] }
        return source.ranges.reduce(into: Data()) { $0.append(items.data[in: $1]) }
    }

    private func configuration(of item: Int, of kind: FourCharacterCode) -> Range<Int>? {
        let types: [FourCharacterCode: FourCharacterCode] = ["av01": "av1C", "hvc1": "hvcC"]
        return types[kind].flatMap { type in properties[item]?.first { $0.type == type }?.content }
    }

    /// Version, flags, and something else come before width and height (ISO/IEC 23008-12 §6.6.2).
    private func sizeOfCanvas(_ bytes: Data, start: Int) -> PixelSize? {
        guard let flags = bytes.dropFirst().first else { return nil }
        var reader = BitReader(bytes.dropFirst(start).prefix(8))
        let width = flags & 1 == 1 ? 32 : 16
        return PixelSize(width: reader.bits(width), height: reader.bits(width))
    }
}
