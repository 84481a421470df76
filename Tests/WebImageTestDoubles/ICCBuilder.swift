/// Builds ICC profiles of RGB tag by tag: three colorants for white of D50, and one curve.
struct ICCBuilder {
    /// XYZ of red, green and blue.
    var colorants: [[Double]]
    /// A parametric curve of type 3 (ICC.1:2022 §10.18): g, a, b, c, d; or one number, the exponent.
    var curve: [Double]

    /// Apple's Display P3.
    static let displayP3 = ICCBuilder(
        colorants: [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]],
        curve: sRGBCurve)
    /// Adobe RGB (1998), as in its specification.
    static let adobeRGB = ICCBuilder(
        colorants: [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]],
        curve: [2.19921875])
    /// The colorants of Hewlett-Packard's sRGB IEC61966-2.1.
    static let sRGB = ICCBuilder(
        colorants: [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410]],
        curve: sRGBCurve)

    private static let sRGBCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

    var bytes: [UInt8] {
        let curve = Self.type("para") + [0, self.curve.count == 1 ? 0 : 3, 0, 0] + self.curve.flatMap(Self.fixed)
        let colors = zip(["rXYZ", "gXYZ", "bXYZ"], colorants).map { ($0, Self.point($1)) }
        let tags = [("wtpt", Self.point([0.9642, 1, 0.8249]))] + colors + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
        var table = PNGBuilder.bigEndian(tags.count, bytes: 4)
        var content: [UInt8] = []
        for (name, value) in tags {
            let start = 128 + 4 + tags.count * 12 + content.count
            table += Array(name.utf8) + PNGBuilder.bigEndian(start, bytes: 4)
            table += PNGBuilder.bigEndian(value.count, bytes: 4)
            content += value
        }
        return header(byteCount: 128 + table.count + content.count) + table + content
    }

    /// PNG's chunk with the profile.
    var chunk: (String, [UInt8]) { ("iCCP", Array("a".utf8) + [0, 0] + PNGBuilder.zlib(bytes)) }

    private func header(byteCount: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: PNGBuilder.bigEndian(byteCount, bytes: 4))
        header[8] = 4
        for (place, text) in [(12, "mntr"), (16, "RGB "), (20, "XYZ "), (36, "acsp")] {
            header.replaceSubrange(place..<place + 4, with: Array(text.utf8))
        }
        header.replaceSubrange(68..<80, with: [0.9642, 1, 0.8249].flatMap(Self.fixed))
        return header
    }

    private static func type(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }
    private static func point(_ numbers: [Double]) -> [UInt8] { type("XYZ ") + numbers.flatMap(fixed) }
    /// s15Fixed16Number.
    private static func fixed(_ number: Double) -> [UInt8] {
        PNGBuilder.bigEndian(Int((number * 65_536).rounded()), bytes: 4)
    }
}
