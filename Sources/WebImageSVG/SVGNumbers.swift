import Glibc

/// Reads lists of numbers in the syntax of SVG and CSS, fast enough for paths of many megabytes.
struct SVGNumbers<Bytes: Collection> where Bytes.Element == UInt8, Bytes.SubSequence == Bytes {
    private(set) var rest: Bytes

    init(_ bytes: Bytes) { rest = bytes }

    /// Skips white space and commas.
    mutating func skipSeparators() {
        rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    }

    /// The next byte, whatever it is.
    mutating func nextByte() -> UInt8? { rest.popFirst() }

    /// nil where no number follows; only separators are consumed then.
    mutating func next() -> Double? {
        skipSeparators()
        let start = rest
        var sign = 1.0
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            if first == UInt8(ascii: "-") { sign = -1 }
            rest = rest.dropFirst()
        }
        var (value, digitCount, scale) = (0.0, 0, 1.0)
        readDigits { digit in
            value = value * 10 + digit
            digitCount += 1
        }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            readDigits { digit in
                scale /= 10
                value += digit * scale
                digitCount += 1
            }
        }
        guard digitCount > 0 else {
            rest = start
            return nil
        }
        return sign * value * readExponent()
    }

    /// `e` begins an exponent only before digits: `1em` has none.
    private mutating func readExponent() -> Double {
        guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return 1 }
        let start = rest
        rest = rest.dropFirst()
        var sign = 1.0
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            if first == UInt8(ascii: "-") { sign = -1 }
            rest = rest.dropFirst()
        }
        var (exponent, digitCount) = (0.0, 0)
        readDigits { digit in
            exponent = min(exponent * 10 + digit, 1000)
            digitCount += 1
        }
        guard digitCount > 0 else {
            rest = start
            return 1
        }
        return pow(10, sign * exponent)
    }

    private mutating func readDigits(_ take: (Double) -> Void) {
        while let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            take(Double(byte - UInt8(ascii: "0")))
            rest = rest.dropFirst()
        }
    }
}
