import WebImage

/// How much work a document makes, references followed: librsvg walks by recursion, ends the process when its stack is full,
/// and cannot be interrupted.
struct SVGWork {
    /// Elements as often as they are drawn.
    private(set) var elementCount = 0.0
    /// Elements within each other and references from one to the next, at most.
    private(set) var depth = 0
    /// References from one to the next, at most.
    private(set) var referenceDepth = 0
    /// Passes over all pixels: of filters, masks, opacity.
    private(set) var effectCount = 0.0
    private(set) var effectCountPerPixel = 0.0

    /// What librsvg's stack holds with room to spare; drawings by people have less than ten.
    private static let maximumReferenceDepth = 30

    init(_ markup: SVGMarkup) {
        var works = [SVGWork?](repeating: nil, count: markup.elements.count)
        var children = [[Int]](repeating: [], count: markup.elements.count)
        var places: [String: Int] = [:]
        for (index, element) in markup.elements.enumerated() {
            if let parent = element.parent { children[parent].append(index) }
            if let id = element.tag.id, places[id] == nil { places[id] = index }
        }
        // Not by recursion: the document decides how deep it goes.
        var pending = Array(markup.elements.indices.prefix(1))
        var isBegun = [Bool](repeating: false, count: markup.elements.count)
        while let index = pending.last {
            let references = markup.elements[index].tag.references.compactMap { places[$0] }
            if !isBegun[index] {
                isBegun[index] = true
                pending += (children[index] + references).filter { !isBegun[$0] }
            } else {
                pending.removeLast()
                if works[index] == nil {
                    works[index] = SVGWork(markup.elements[index].tag, children[index], references, works)
                }
            }
        }
        if let work = works.first ?? nil { self = work }
    }

    /// The work of one element; what refers back to it is not done yet, and is not done by librsvg either.
    private init(_ tag: SVGTag, _ children: [Int], _ references: [Int], _ works: [SVGWork?]) {
        elementCount = 1
        effectCount = tag.effectCount
        effectCountPerPixel = tag.effectCountPerPixel
        for (part, isReference) in children.map({ ($0, false) }) + references.map({ ($0, true) }) {
            guard let work = works[part] else { continue }
            elementCount += work.elementCount
            effectCount += work.effectCount
            effectCountPerPixel += work.effectCountPerPixel
            depth = max(depth, work.depth)
            referenceDepth = max(referenceDepth, work.referenceDepth + (isReference ? 1 : 0))
        }
        depth += 1
    }

    /// - Throws: ``WebImageError/Code/limitExceeded``, naming the limit.
    func check(_ limits: ImageLimits) throws(WebImageError) {
        if elementCount > Double(limits.maximumElementCount) {
            throw Self.tooMuch("more elements than", limits.maximumElementCount, "maximumElementCount")
        }
        if depth > limits.maximumElementDepth {
            throw Self.tooMuch("elements deeper in each other than", limits.maximumElementDepth, "maximumElementDepth")
        }
        if referenceDepth > Self.maximumReferenceDepth {
            throw .damaged(.svg, "more than \(Self.maximumReferenceDepth) references lead from one to the next")
        }
    }

    /// Checks what the effects cost in a picture of `size`.
    ///
    /// - Parameter scale: Pixels for one of the document's own.
    func check(_ limits: ImageLimits, size: PixelSize, scale: Double) throws(WebImageError) {
        let passes = effectCount + effectCountPerPixel * scale
        if passes * Double(size.area) > Double(limits.maximumEffectPixelCount) {
            throw Self.tooMuch(
                "effects on more pixels than", limits.maximumEffectPixelCount, "maximumEffectPixelCount")
        }
    }

    private static func tooMuch(_ finding: String, _ limit: Int, _ name: String) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the SVG file has \(finding) the \(limit) that are allowed; raise ImageLimits.\(name) to take it")
    }
}
