import WebImage

/// A box in pixels that pictures fit into, of which one side may be open.
package struct PixelBox: Sendable, Equatable {
    private let width: Int?
    private let height: Int?

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `300x200`, `300` for a square, and `300x` or `x200` with an open side; nil for anything else.
    init?(_ text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count <= 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
        var lengths: [Int?] = []
        for side in sides {
            let length = String(side).decimal
            guard side.isEmpty || length.map(PixelSize.sides.contains) == true else { return nil }
            lengths.append(length)
        }
        width = lengths[0]
        height = sides.count == 1 ? lengths[0] : lengths[1]
    }

    /// Whether a side is open.
    package var isOpen: Bool { width == nil || height == nil }

    /// The size of the box; an open side is longer than that of any picture.
    package var size: PixelSize {
        PixelSize(width: width ?? PixelSize.sides.upperBound, height: height ?? PixelSize.sides.upperBound)
    }
}

extension PixelSize {
    /// The sides that an option takes.
    static let sides = 1...65_535
}

extension OptionValue where Value == PixelBox {
    /// A box in pixels, with both sides or with one.
    package static var pixelBox: Self {
        Self(
            placeholder: "WxH",
            expectation: "sides in pixels, each from 1 to 65535, such as 300x200, 300 for a square, 300x or x200",
            parse: PixelBox.init)
    }
}
