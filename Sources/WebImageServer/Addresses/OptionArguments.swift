import FoundationEssentials
import WebImageCore

/// The arguments of one option, read in their order. An argument that is missing or empty is nil.
struct OptionArguments {
    /// The option as it was written.
    let option: Substring
    let name: String
    private var rest: ArraySlice<Substring>

    init(_ text: Substring, separator: Character) {
        option = text
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        name = parts.first.map(String.init) ?? ""
        rest = parts.dropFirst()
    }

    var isEmpty: Bool { rest.allSatisfy(\.isEmpty) }
    var count: Int { rest.count }

    mutating func text() -> String? {
        guard let first = rest.popFirst(), !first.isEmpty else { return nil }
        return String(first)
    }

    /// All that are left, but for empty ones.
    mutating func texts() -> [String] {
        defer { rest = [] }
        return rest.filter { !$0.isEmpty }.map(String.init)
    }

    mutating func flag() throws(AddressError) -> Bool? {
        guard let text = text() else { return nil }
        switch text.lowercased() {
        case "1", "t", "true": return true
        case "0", "f", "false": return false
        default: throw wrong(text, "1, t or true for yes, 0, f or false for no")
        }
    }

    mutating func integer(_ range: ClosedRange<Int> = 0...Self.maximum) throws(AddressError) -> Int? {
        guard let text = text() else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(text, "a whole number \(Self.description(of: range, upTo: Self.maximum))")
        }
        return number
    }

    mutating func number(_ range: ClosedRange<Double>) throws(AddressError) -> Double? {
        guard let text = text() else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw wrong(text, "a number \(Self.description(of: range, upTo: Double(Self.maximum)))")
        }
        return number
    }

    /// A factor by which lengths are multiplied.
    mutating func factor() throws(AddressError) -> Double? {
        guard let text = text() else { return nil }
        guard let number = Double(text), number > 0, number <= Double(Self.maximum) else {
            throw wrong(text, "a number greater than 0")
        }
        return number
    }

    /// A colour by its digits, as in `f00`, `ff0000` and, with alpha last, `ff000080`.
    mutating func color() throws(AddressError) -> RGBAColor? {
        guard let text = text() else { return nil }
        guard let color = RGBAColor(digits: text) else {
            throw wrong(text, "a colour of 3, 6 or 8 digits, as in ff8800")
        }
        return color
    }

    mutating func format() throws(AddressError) -> ImageFormat? {
        guard let text = text() else { return nil }
        return try ImageFormat(serviceName: text)
    }

    func end() throws(AddressError) {
        guard let extra = rest.first(where: { !$0.isEmpty }) else { return }
        throw AddressError("the option \(option) has more arguments than \(name) takes: take out \(extra)")
    }

    func wrong(_ argument: String, _ expected: String) -> AddressError {
        AddressError("in the option \(option), \(argument) is not \(expected)")
    }

    /// More than any picture has, and no length overflows with it.
    private static let maximum = 1_000_000_000

    private static func description<Bound: Comparable>(of range: ClosedRange<Bound>, upTo maximum: Bound) -> String {
        range.upperBound >= maximum ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension RGBAColor {
    /// The digits of a colour without a sign in front: three, six, or eight with alpha last.
    init?(digits: String) {
        let all = digits.utf8.count == 3 ? digits.flatMap { [$0, $0] } : Array(digits)
        let ordered = all.count == 8 ? all.suffix(2) + all.prefix(6) : all
        self.init(hex: "#" + String(ordered))
    }
}

extension ImageFormat {
    /// A format by the extension of its files.
    init(serviceName: String) throws(AddressError) {
        guard let format = ImageFormat(fileExtension: serviceName) else {
            throw AddressError(
                serviceName == "best"
                    ? "the format best is not supported: name one, or let the client's Accept header choose"
                    : "\(serviceName) is no format of this service")
        }
        self = format
    }
}
