import WebImageCore

/// A table that maps colours to colours: a cube of colours with interpolation between them. Channels are straight, from 0
/// to 1.
public struct ColorLookupTable: Sendable, Hashable {
    /// The number of colours along each side.
    public let side: Int
    /// side³ colours of three numbers each: red, green, blue. Red changes fastest, then green.
    public let colors: [Float]
    /// Identifies the contents in keys.
    let fingerprint: UInt64

    /// A cube of colours.
    ///
    /// - Returns: Nil for a side of less than 2 or more than 256, another count of numbers than 3 × side³, or a number
    ///   that is infinite or NaN.
    public init?(side: Int, colors: [Float]) {
        guard 2...256 ~= side, colors.count == 3 * side * side * side, colors.allSatisfy(\.isFinite) else { return nil }
        self.side = side
        self.colors = colors
        fingerprint = colors.span.withUnsafeBytes { bytes in
            XXH3.checksum(of: RawSpan(_unsafeBytes: bytes))
        }
    }
}
