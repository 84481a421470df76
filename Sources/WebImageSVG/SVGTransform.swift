import Glibc

/// How much a transformation of SVG or CSS lengthens a line, at most.
enum SVGTransform {
    /// - Returns: 1 for what only moves or turns; infinite for what is not understood.
    static func norm(_ text: some Collection<UInt8>) -> Double {
        var rest = Array(text)[...].drop(while: isSeparator)
        var norm = 1.0
        if String(decoding: rest.prefix(4), as: UTF8.self).lowercased() == "none" { return norm }
        while !rest.isEmpty {
            guard let open = rest.firstIndex(of: UInt8(ascii: "(")),
                let close = rest[open...].firstIndex(of: UInt8(ascii: ")"))
            else { return .infinity }
            norm = norm.times(
                Self.norm(SVGStyle.id(SVGStyle.text(rest[..<open])).lowercased(), rest[(open + 1)..<close]))
            rest = rest[(close + 1)...].drop(while: isSeparator)
        }
        return norm.isNaN ? .infinity : norm
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: ",") }

    private static func norm(_ function: String, _ text: ArraySlice<UInt8>) -> Double {
        var reader = SVGNumbers(text)
        guard !text.contains(where: { "&\\/".utf8.contains($0) }), let first = reader.next() else { return .infinity }
        switch function {
        case "translate", "translatex", "translatey", "rotate": return 1
        case "scalex", "scaley": return max(1, abs(first))
        case "scale": return max(abs(first), abs(reader.next() ?? first))
        case "skewx", "skewy", "skew":
            // By any unit of angles; to be far off costs little, since nobody skews what is patterned by much.
            let isInDegrees = reader.rest.allSatisfy { $0 <= 0x20 } || reader.rest.starts(with: "deg".utf8)
            return function != "skew" && isInDegrees ? norm(1, tan(first * .pi / 180), 0, 1) : .infinity
        case "matrix":
            guard let b = reader.next(), let c = reader.next(), let d = reader.next() else { return .infinity }
            return norm(first, b, c, d)
        default: return .infinity
        }
    }

    /// The largest singular value.
    private static func norm(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
        let sum = a * a + b * b + c * c + d * d
        let determinant = a * d - b * c
        return sqrt((sum + sqrt(max(0, sum * sum - 4 * determinant * determinant))) / 2)
    }
}
