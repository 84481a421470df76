import FoundationEssentials
import WebImage

/// The cost of decoding an item with all its parts.
///
/// libheif 1.15 follows circular references until the stack overflows, allocates memory for the size in an item's
/// bitstream even where its properties say a small size, and leaks memory for each AV1 picture without bytes.
struct HEIFItemCheck {
    /// Deeper than any writer nests: alpha of a part of a part of a rotated picture.
    private static let maximumDepth = 8
    /// libheif's own limit for a file.
    private static let maximumCount = 20_000

    private struct Cost {
        /// The depth of nested items.
        var depth = 1
        /// The number of decoded items, with repetitions.
        var count = 1
        /// The number of decoded pixels, with repetitions.
        var area = 0
    }

    private let items: HEIFItems
    private var costs: [Int: Cost] = [:]
    private var sizes: HEIFItemSizes?
    private var limits = ImageLimits.forHeaders

    /// - Throws: ``WebImageError/Code/badImageData`` where an item contains itself, or too many others.
    static func checkStructure(of items: HEIFItems) throws(WebImageError) {
        var check = HEIFItemCheck(items: items)
        for item in items.parts.keys { _ = try check.cost(of: item, depth: 1) }
    }

    /// - Throws: Also ``WebImageError/Code/limitExceeded`` where a decoded item has more pixels than `limits` allow for
    ///   a picture, or all of them together have four times as many, the most that a grid with alpha needs.
    static func check(_ item: Int, of items: HEIFItems, limits: ImageLimits) throws(WebImageError) {
        var check = HEIFItemCheck(items: items)
        check.sizes = try HEIFItemSizes(items)
        check.limits = limits
        let cost = try check.cost(of: item, depth: 1)
        guard cost.area / 4 <= limits.maximumPixelCount else {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "the \(items.format) picture is made of others with \(cost.area) pixels, and four times "
                    + "\(limits.maximumPixelCount) are allowed; raise ImageLimits.maximumPixelCount")
        }
    }

    private init(items: HEIFItems) { self.items = items }

    private mutating func cost(of item: Int, depth: Int) throws(WebImageError) -> Cost {
        if let known = costs[item] { return known }
        try require(depth <= Self.maximumDepth)
        var cost = Cost(area: try area(of: item))
        for part in items.parts[item] ?? [] {
            let other = try self.cost(of: part, depth: depth + 1)
            cost.depth = max(cost.depth, other.depth + 1)
            cost.count += other.count
            cost.area = saturatingSum(cost.area, other.area)
            try require(cost.depth <= Self.maximumDepth && cost.count <= Self.maximumCount)
        }
        costs[item] = cost
        return cost
    }

    private func require(_ isPossible: Bool) throws(WebImageError) {
        guard isPossible else {
            throw .damaged(items.format, "one of its pictures is made of itself, or of too many others")
        }
    }

    private mutating func area(of item: Int) throws(WebImageError) -> Int {
        guard let size = try sizes?.size(of: item) else { return 0 }
        try limits.check(items.format, source: size, held: size)
        return size.area
    }

    private func saturatingSum(_ one: Int, _ other: Int) -> Int {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
