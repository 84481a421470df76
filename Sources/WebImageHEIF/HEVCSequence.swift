import FoundationEssentials
import WebImage

/// The parameter sets of HEVC pictures that contain their size (ISO/IEC 23008-2 §7.3.2.2).
enum HEVCSequence {
    /// - Parameters:
    ///   - configuration: The arrays of an `hvcC` box, from their count on.
    ///   - bytes: The item's bytes: units with a length prefix, which libheif takes to be four bytes long.
    static func largestSize(inConfiguration configuration: Data, bytes: Data) -> PixelSize? {
        (unitsOfArrays(configuration) + units(bytes)).compactMap(size).max { $0.area < $1.area }
    }

    /// The beginnings of units that may be parameter sets.
    private static func units(_ bytes: Data) -> [Data] {
        var (rest, result): (Data, [Data]) = (bytes, [])
        while rest.count > 4 {
            let length = number(rest.prefix(4))
            guard length <= rest.count - 4 else { break }
            let unit = rest.dropFirst(4).prefix(length)
            if isParameterSet(unit) { result.append(unit) }
            rest = rest.dropFirst(4 + length)
        }
        return result
    }

    private static func unitsOfArrays(_ configuration: Data) -> [Data] {
        guard let count = configuration.first else { return [] }
        var (rest, result): (Data, [Data]) = (configuration.dropFirst(), [])
        for _ in 0..<count {
            let unitCount = number(rest.dropFirst().prefix(2))
            rest = rest.dropFirst(3)
            for _ in 0..<unitCount where !rest.isEmpty {
                let unit = rest.dropFirst(2).prefix(number(rest.prefix(2)))
                if isParameterSet(unit) { result.append(unit) }
                rest = rest.dropFirst(2 + unit.count)
            }
        }
        return result
    }

    private static func number(_ bytes: Data) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Whether it is a parameter set of the base layer, the one that is decoded.
    private static func isParameterSet(_ unit: Data) -> Bool {
        var reader = BitReader(unit.prefix(2))
        reader.skip(1)
        return reader.bits(6) == 33 && reader.bits(6) == 0
    }

    private static func size(_ unit: Data) -> PixelSize? {
        var reader = BitReader(unescaped(unit.dropFirst(2).prefix(256)))
        reader.skip(4)
        let layerCount = reader.bits(3)
        reader.skip(1)
        skipProfile(&reader, layerCount: layerCount)
        guard reader.exponentialGolomb() != nil, let chroma = reader.exponentialGolomb() else { return nil }
        if chroma == 3 { reader.skip(1) }
        guard let width = reader.exponentialGolomb(), let height = reader.exponentialGolomb() else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// - Parameter layerCount: The number of temporal layers beyond the first.
    private static func skipProfile(_ reader: inout BitReader, layerCount: Int) {
        let (profileLength, levelLength) = (88, 8)
        reader.skip(profileLength + levelLength)
        guard layerCount > 0 else { return }
        let layers = (0..<8).map { _ in (hasProfile: reader.bit(), hasLevel: reader.bit()) }
        for layer in layers.prefix(layerCount) {
            reader.skip((layer.hasProfile ? profileLength : 0) + (layer.hasLevel ? levelLength : 0))
        }
    }

    /// Removes the emulation prevention bytes.
    private static func unescaped(_ bytes: Data) -> [UInt8] {
        var (result, zeros): ([UInt8], Int) = ([], 0)
        for byte in bytes {
            if zeros >= 2 && byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
