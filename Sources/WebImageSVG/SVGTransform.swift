import Glibc

/// The effect of an SVG or CSS transformation on lengths, as upper bounds.
struct SVGTransform {
    /// The maximum factor by which a line grows.
    private(set) var norm: Double
    /// The ratio of the maximum to the minimum factor.
    private(set) var spread: Double
    /// Whether the axes may be rotated or skewed.
    private(set) var isTurned = false

    static let none = SVGTransform(norm: 1, spread: 1)
    private static let turning = SVGTransform(norm: 1, spread: 1, isTurned: true)
    static let unknown = SVGTransform(norm: .infinity, spread: .infinity, isTurned: true)

    private init(norm: Double, spread: Double, isTurned: Bool = false) {
        (self.norm, self.spread, self.isTurned) = (norm, spread, isTurned)
    }

    /// `unknown` for syntax that is not understood.
    init(_ text: some Collection<UInt8>) {
        var rest = Array(text)[...].drop(while: Self.isSeparator)
        self = .none
        if String(decoding: rest.prefix(4), as: UTF8.self).lowercased() == "none" { return }
        while !rest.isEmpty {
            guard let open = rest.firstIndex(of: UInt8(ascii: "(")),
                let close = rest[open...].firstIndex(of: UInt8(ascii: ")"))
            else {
                self = .unknown
                return
            }
            let name = SVGStyle.id(SVGStyle.text(rest[..<open])).lowercased()
            add(Self.function(name, rest[(open + 1)..<close]))
            rest = rest[(close + 1)...].drop(while: Self.isSeparator)
        }
    }

    /// The upper bound of both, because either may apply.
    func union(_ other: SVGTransform) -> SVGTransform {
        SVGTransform(
            norm: max(norm, other.norm), spread: max(spread, other.spread), isTurned: isTurned || other.isTurned)
    }

    private mutating func add(_ other: SVGTransform) {
        norm = norm.times(other.norm)
        spread *= other.spread
        isTurned = isTurned || other.isTurned
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: ",") }

    private static func function(_ name: String, _ text: ArraySlice<UInt8>) -> SVGTransform {
        var reader = SVGNumbers(text)
        guard !text.contains(where: { "&\\/".utf8.contains($0) }), let first = reader.next() else { return .unknown }
        switch name {
        case "translate", "translatex", "translatey": return .none
        case "rotate": return .turning
        case "scalex": return matrix(first, 0, 0, 1)
        case "scaley": return matrix(1, 0, 0, first)
        case "scale": return matrix(first, 0, 0, reader.next() ?? first)
        case "skewx", "skewy":
            let isInDegrees = reader.rest.allSatisfy { $0 <= 0x20 } || reader.rest.starts(with: "deg".utf8)
            return isInDegrees ? matrix(1, tan(first * .pi / 180), 0, 1) : .unknown
        case "matrix":
            guard let b = reader.next(), let c = reader.next(), let d = reader.next() else { return .unknown }
            return matrix(first, b, c, d)
        default: return .unknown
        }
    }

    /// By its singular values.
    private static func matrix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> SVGTransform {
        let sum = a * a + b * b + c * c + d * d
        let determinant = abs(a * d - b * c)
        let norm = sqrt((sum + sqrt(max(0, sum * sum - 4 * determinant * determinant))) / 2)
        guard norm.isFinite else { return .unknown }
        let spread = determinant > 0 ? norm * norm / determinant : .infinity
        return SVGTransform(norm: norm, spread: spread.isNaN ? .infinity : spread, isTurned: b != 0 || c != 0)
    }
}
