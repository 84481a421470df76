/// The digits of BlurHash, for numbers to the base of 83.
enum Base83 {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
        return values
    }()

    /// The values of the digits of a text; nil where one is no digit.
    static func values(of text: String) -> [Int]? {
        var found: [Int] = []
        for digit in text.utf8 {
            guard let value = values[Int(digit)] else { return nil }
            found.append(value)
        }
        return found
    }

    /// A number of few digits, the first one the highest.
    static func number(_ values: some Sequence<Int>) -> Int { values.reduce(0) { $0 * 83 + $1 } }

    /// A number as `count` digits.
    static func text(_ number: Int, count: Int) -> String {
        var rest = number
        var text: [UInt8] = []
        for _ in 0..<count {
            text.append(digits[rest % 83])
            rest /= 83
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }
}
