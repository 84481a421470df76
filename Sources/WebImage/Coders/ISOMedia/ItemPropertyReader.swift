import FoundationEssentials

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

    /// The properties of every item.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before its boxes do.
    package func propertiesOfItems() throws(WebImageError) -> [Int: [MediaBox]] {
        guard let meta = try box("meta", in: 0..<data.count),
            let properties = try box("iprp", in: meta.content.dropFirst(MediaBox.versionLength)),
            let list = try box("ipco", in: properties.content)
        else { return [:] }
        let all = try boxes(in: list.content)
        var result: [Int: [MediaBox]] = [:]
        try forEachItem(in: properties.content) { item, indices in
            if result[item] == nil {
                result[item] = indices.filter { all.indices.contains($0 - 1) }.map { all[$0 - 1] }
            }
            return true
        }
        return result
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
        var result: [Int] = []
        try forEachItem(in: range) { number, indices in
            if number == item { result = indices }
            return number != item
        }
        return result
    }

    /// - Parameter body: Gets an item and its properties, and returns whether to continue.
    private func forEachItem(in range: Range<Int>, _ body: (Int, [Int]) -> Bool) throws(WebImageError) {
        for box in try boxes(in: range) where box.type == "ipma" {
            var reader = ByteReader(data, format: format, range: box.content)
            let head = try reader.bigEndian(bytes: MediaBox.versionLength)
            let (version, hasLongIndices) = (head >> 24, head & 1 == 1)
            for _ in 0..<(try reader.bigEndian(bytes: 4)) {
                let number = try reader.bigEndian(bytes: version == 0 ? 2 : 4)
                guard body(number, try indices(&reader, areLong: hasLongIndices)) else { return }
            }
        }
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
