import WebImage

extension OptionValue where Value == TransitionEffect {
    /// One of the library's effects.
    static var effect: Self {
        let names = TransitionEffect.optionNames
        return Self(placeholder: "NAME", expectation: names.inWords("or"), completion: .words(names)) { name in
            name.lowercased() == TransitionEffect.fade ? .crossDissolve : TransitionEffect.named(name)
        }
    }
}

extension TransitionEffect {
    /// The name that the transition of views has.
    fileprivate static let fade = "fade"

    /// The names for an option: those of the library, and `fade` for `crossDissolve`.
    static var optionNames: [String] {
        all.flatMap { $0.name == crossDissolve.name ? [$0.name, fade] : [$0.name] }
    }
}

extension OptionValue where Value == ContentFit {
    /// One of CSS's words.
    package static var fit: Self {
        Self(
            placeholder: "contain|cover|fill|scale-down", expectation: "contain, cover, fill or scale-down",
            completion: .words(["contain", "cover", "fill", "scale-down"])
        ) {
            ["contain": ContentFit.contain, "cover": .cover, "fill": .fill, "scale-down": .scaleDown][$0.lowercased()]
        }
    }
}

extension OptionValue where Value == TimingFunction {
    /// A curve by its name or by its numbers.
    static var timing: Self {
        Self(
            placeholder: "CURVE",
            expectation:
                "linear, ease, ease-in, ease-out, ease-in-out, spring, spring:0.5, spring:0.5,2 (damping 0.05 to "
                + "10, speed -100 to 100), or four numbers X1,Y1,X2,Y2 of which X1 and X2 are 0 to 1",
            completion: .examples(["linear", "ease", "ease-in", "ease-out", "ease-in-out", "spring"]),
            parse: TimingFunction.init(option:))
    }
}

extension TimingFunction {
    private static let byName: [String: TimingFunction] = [
        "linear": .linear, "ease": .default, "default": .default, "ease-in": .easeIn, "ease-out": .easeOut,
        "ease-in-out": .easeInEaseOut, "spring": .spring(),
    ]

    fileprivate init?(option: String) {
        let text = option.lowercased()
        if let named = Self.byName[text] {
            self = named
        } else if text.hasPrefix("spring:") {
            guard let spring = Self.spring(text.dropFirst(7)) else { return nil }
            self = spring
        } else {
            guard let numbers = text.numbers, numbers.count == 4, (0...1).contains(numbers[0]),
                (0...1).contains(numbers[2])
            else { return nil }
            self = .cubicBezier(numbers[0], numbers[1], numbers[2], numbers[3])
        }
    }

    private static func spring(_ text: Substring) -> TimingFunction? {
        guard let numbers = text.numbers, (1...2).contains(numbers.count), (0.05...10).contains(numbers[0]) else {
            return nil
        }
        let velocity = numbers.dropFirst().first ?? 0
        return (-100...100).contains(velocity) ? .spring(dampingRatio: numbers[0], initialVelocity: velocity) : nil
    }
}

extension StringProtocol {
    /// The decimal numbers between its commas; nil when one is none.
    fileprivate var numbers: [Double]? {
        let parts = split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") } ? Double(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
