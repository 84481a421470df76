/// The name of a chunk in PNG or RIFF: four ASCII characters.
struct FourCharacterCode: Hashable, ExpressibleByStringLiteral {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
