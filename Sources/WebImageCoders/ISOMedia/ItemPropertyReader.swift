import FoundationEssentials
import WebImageCore

/// Reads properties of a HEIF or AVIF file's primary item that the libraries do not report (ISO/IEC 14496-12 §8.11,
/// ISO/IEC 23008-12 §6 and §9.3).
package struct ItemPropertyReader {
    private let data: Data
    private let format: ImageFormat

    package init(_ data: Data, format: ImageFormat) {
        self.data = data
        self.format = format
    }

    /// The transformations of the pixels, in the order in which the file applies them; none where the boxes are
    /// malformed.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before its boxes do.
    package func transformationsOfPrimaryItem() throws(WebImageError) -> [ItemTransformation] {
        var result: [ItemTransformation] = []
        for box in try propertiesOfPrimaryItem() {
            if let transformation = try transformation(box) { result.append(transformation) }
        }
        return result
    }

    /// The code points of its primaries and transfer function (ISO/IEC 23091-2 §8), where it has any.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before its boxes do.
    package func colorsOfPrimaryItem() throws(WebImageError) -> (primaries: Int, transfer: Int)? {
        for box in try propertiesOfPrimaryItem().reversed() where box.type == "colr" {
            var reader = ByteReader(data, format: format, range: box.content)
            guard try reader.fourCharacterCode() == "nclx" else { continue }
            return (try reader.bigEndian(bytes: 2), try reader.bigEndian(bytes: 2))
        }
        return nil
    }

    /// The peak luminance of the picture in cd/m² or, if unknown, that of the mastering display.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before its boxes do.
    package func peakLuminanceOfPrimaryItem() throws(WebImageError) -> Double? {
        let properties = try propertiesOfPrimaryItem()
        if let box = properties.first(where: { $0.type == "clli" }) {
            var reader = ByteReader(data, format: format, range: box.content)
            let luminance = try reader.bigEndian(bytes: 2)
            if luminance > 0 { return Double(luminance) }
        }
        guard let box = properties.first(where: { $0.type == "mdcv" }) else { return nil }
        var reader = ByteReader(data, format: format, range: box.content)
        // Four chromaticities of two numbers precede it.
        try reader.skip(16)
        let luminance = try reader.bigEndian(bytes: 4)
        return luminance > 0 ? Double(luminance) / 10_000 : nil
    }

    /// Whether the picture is gray: by the number of its channels or, without that, by the header of its HEVC stream.
    /// Nil where neither is present.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before its boxes do.
    package func isPrimaryItemGray() throws(WebImageError) -> Bool? {
        let properties = try propertiesOfPrimaryItem()
        if let box = properties.first(where: { $0.type == "pixi" }) {
            var reader = ByteReader(data, format: format, range: box.content)
            try reader.skip(MediaBox.versionLength)
            return try reader.byte() == 1
        }
        guard let box = properties.first(where: { $0.type == "hvcC" }) else { return nil }
        var reader = ByteReader(data, format: format, range: box.content)
        // Profile, level and the minimum spatial segmentation precede it (ISO/IEC 14496-15 §8.3.3.1).
        try reader.skip(16)
        return try reader.byte() & 3 == 0
    }

    private func propertiesOfPrimaryItem() throws(WebImageError) -> [MediaBox] {
        guard let meta = try box("meta", in: 0..<data.count) else { throw .truncated(format) }
        let content = meta.content.dropFirst(MediaBox.versionLength)
        guard let properties = try box("iprp", in: content), let list = try box("ipco", in: properties.content) else {
            return []
        }
        let boxes = try boxes(in: list.content)
        let item = try primaryItem(in: content)
        return try indices(of: item, in: properties.content).filter { boxes.indices.contains($0 - 1) }
            .map { boxes[$0 - 1] }
    }

    /// The type of the primary picture's item; nil where the file does not say.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before its boxes do.
    package func kindOfPrimaryItem() throws(WebImageError) -> FourCharacterCode? {
        guard let meta = try box("meta", in: 0..<data.count) else { return nil }
        let content = meta.content.dropFirst(MediaBox.versionLength)
        guard let item = try primaryItem(in: content), let list = try box("iinf", in: content) else { return nil }
        var reader = ByteReader(data, format: format, range: list.content)
        let version = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24
        try reader.skip(version == 0 ? 2 : 4)
        for box in try MediaBox.all(reader) where box.type == "infe" {
            if let entry = try entry(box), entry.item == item { return entry.kind }
        }
        return nil
    }

    /// Entries before version 2 have no type.
    private func entry(_ box: MediaBox) throws(WebImageError) -> (item: Int, kind: FourCharacterCode)? {
        var reader = ByteReader(data, format: format, range: box.content)
        let version = try reader.bigEndian(bytes: MediaBox.versionLength) >> 24
        guard version >= 2 else { return nil }
        let item = try reader.bigEndian(bytes: version == 2 ? 2 : 4)
        // The protection index.
        try reader.skip(2)
        return (item, try reader.fourCharacterCode())
    }

    private func primaryItem(in range: Range<Int>) throws(WebImageError) -> Int? {
        guard let box = try box("pitm", in: range) else { return nil }
        var reader = ByteReader(data, format: format, range: box.content)
        let version = try reader.byte()
        try reader.skip(3)
        return try reader.bigEndian(bytes: version == 0 ? 2 : 4)
    }

    /// The properties of an item, as indices into the list of all, counted from 1.
    private func indices(of item: Int?, in range: Range<Int>) throws(WebImageError) -> [Int] {
        for box in try boxes(in: range) where box.type == "ipma" {
            var reader = ByteReader(data, format: format, range: box.content)
            let head = try reader.bigEndian(bytes: MediaBox.versionLength)
            let (version, hasLongIndices) = (head >> 24, head & 1 == 1)
            for _ in 0..<(try reader.bigEndian(bytes: 4)) {
                let number = try reader.bigEndian(bytes: version == 0 ? 2 : 4)
                let indices = try indices(&reader, areLong: hasLongIndices)
                if number == item { return indices }
            }
        }
        return []
    }

    private func indices(_ reader: inout ByteReader, areLong: Bool) throws(WebImageError) -> [Int] {
        var result: [Int] = []
        for _ in 0..<Int(try reader.byte()) {
            // The first bit says whether the property is essential.
            result.append(areLong ? try reader.bigEndian(bytes: 2) & 0x7FFF : Int(try reader.byte() & 0x7F))
        }
        return result
    }

    private func transformation(_ box: MediaBox) throws(WebImageError) -> ItemTransformation? {
        var reader = ByteReader(data, format: format, range: box.content)
        switch box.type {
        case "irot": return .rotation(quarterTurns: Int(try reader.byte() & 3))
        case "imir": return .mirror(try reader.byte() & 1 == 0 ? .topToBottom : .leftToRight)
        case "clap":
            return .crop(
                CleanAperture(
                    width: try fraction(&reader), height: try fraction(&reader),
                    horizontalOffset: try fraction(&reader), verticalOffset: try fraction(&reader)))
        default: return nil
        }
    }

    private func fraction(_ reader: inout ByteReader) throws(WebImageError) -> CleanAperture.Fraction {
        let numerator = Int(Int32(truncatingIfNeeded: try reader.bigEndian(bytes: 4)))
        return CleanAperture.Fraction(numerator: numerator, denominator: try reader.bigEndian(bytes: 4))
    }

    private func box(_ type: FourCharacterCode, in range: Range<Int>) throws(WebImageError) -> MediaBox? {
        var reader = ByteReader(data, format: format, range: range)
        while !reader.isAtEnd {
            let box = try MediaBox(&reader)
            if box.type == type { return box }
        }
        return nil
    }

    private func boxes(in range: Range<Int>) throws(WebImageError) -> [MediaBox] {
        try MediaBox.all(ByteReader(data, format: format, range: range))
    }
}
