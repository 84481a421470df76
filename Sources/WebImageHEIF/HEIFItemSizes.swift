import FoundationEssentials
import WebImage

/// How many pixels items are decoded to: by their own bytes, which libheif follows, whatever their properties say.
struct HEIFItemSizes {
    private static let pictures: Set<FourCharacterCode> = ["hvc1", "vvc1", "av01", "grid", "iovl", "iden"]

    private let items: HEIFItems
    private let kinds: [Int: FourCharacterCode]
    private let places: [Int: HEIFItems.Place]
    private let properties: [Int: [MediaBox]]

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
    func size(of item: Int) throws(WebImageError) -> PixelSize? {
        let isPicture = kinds[item].map { Self.pictures.contains($0) } ?? false
        guard isPicture || !items.components.contains(item) else {
            throw .damaged(items.format, "it is made of a picture that is not there, or of an unknown kind")
        }
        switch kinds[item] {
        case "av01":
            guard places[item]?.isEmpty != true else {
                throw .damaged(items.format, "a part of its picture has no bytes")
            }
            return AV1Sequence.largestSize(in: configuration(of: item, "av1C", headLength: 4) + bytes(of: item))
        case "hvc1":
            let size = HEVCSequence.largestSize(
                inConfiguration: configuration(of: item, "hvcC", headLength: 22), bytes: bytes(of: item))
            // Encoders fill a picture up with blocks of at most 64 pixels, which no limit is meant to count.
            return size.map { PixelSize(width: max(1, $0.width - 63), height: max(1, $0.height - 63)) }
        case "grid": return sizeOfCanvas(bytes(of: item), start: 4)
        case "iovl": return sizeOfCanvas(bytes(of: item), start: 10)
        default: return nil
        }
    }

    private func bytes(of item: Int) -> Data {
        let ranges = places[item]?.ranges ?? []
        // One piece, as a rule, is not copied.
        guard ranges.count != 1 else { return items.data[in: ranges[0]] }
        return ranges.reduce(into: Data()) { $0.append(items.data[in: $1]) }
    }

    private func configuration(of item: Int, _ type: FourCharacterCode, headLength: Int) -> Data {
        let box = properties[item]?.first { $0.type == type }
        return box.map { items.data[in: $0.content].dropFirst(headLength) } ?? Data()
    }

    /// Version, flags, and something else come before width and height (ISO/IEC 23008-12 §6.6.2).
    private func sizeOfCanvas(_ bytes: Data, start: Int) -> PixelSize? {
        guard let flags = bytes.dropFirst().first else { return nil }
        var reader = BitReader(bytes.dropFirst(start).prefix(8))
        let width = flags & 1 == 1 ? 32 : 16
        return PixelSize(width: reader.bits(width), height: reader.bits(width))
    }
}
