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
    /// Surfaces as large as the picture that are held at the same time beside it.
    private(set) var surfaceCount = 0.0
    /// Pixels of pictures in the document, as often as they are drawn.
    private(set) var passedPixelCount = 0.0
    /// The same, once each.
    private var pixelCount = 0.0

    /// What librsvg's stack holds with room to spare; drawings by people have less than ten.
    private static let maximumReferenceDepth = 30

    /// Elements of one drawing of it, without what is drawn for each of them.
    private var ownCount = 0.0
    /// Points of paths, likewise.
    private var pointCount = 0.0

    /// What gradients are made of is only looked up.
    private static let cheap: Set = ["linearGradient", "radialGradient", "stop"]
    /// More are not looked at: rules that all match all elements.
    private static let maximumRuleCount = 20_000_000

    /// Looked at so often whether anybody still waits.
    private static let stepsBetweenChecks = 1024

    init(_ markup: SVGMarkup, options: ImageDecodeOptions) throws(WebImageError) {
        let elements = markup.elements
        guard elements.count * markup.sheet.referenceCount <= Self.maximumRuleCount else {
            elementCount = .infinity
            return
        }
        let children = Self.children(of: elements)
        let references = Self.references(of: markup)
        var works = [SVGWork?](repeating: nil, count: elements.count)
        // Not by recursion: the document decides how deep it goes.
        var pending = Array(elements.indices.prefix(1))
        var isBegun = [Bool](repeating: false, count: elements.count)
        var stepCount = 0
        while let index = pending.last {
            if stepCount % Self.stepsBetweenChecks == 0 { try options.checkCancellation() }
            stepCount += 1
            if !isBegun[index] {
                isBegun[index] = true
                pending += (children[index] + references[index].all).filter { !isBegun[$0] }
            } else {
                pending.removeLast()
                if works[index] == nil {
                    works[index] = SVGWork(elements[index].tag, children[index], references[index], works)
                }
            }
        }
        if let work = works.first ?? nil { self = work }
        elementCount = max(elementCount, Double(elements.count))
        pixelCount = elements.reduce(0) { $0 + $1.tag.pictures.reduce(0) { $0 + $1.pixelCount } }
    }

    /// What one element refers to, by the places of the elements.
    private struct References {
        var own: [Int]
        var inherited: [Int]
        var markers: [Int]
        var effectCount: Double

        var all: [Int] { own + inherited + markers }
    }

    private static func children(of elements: [SVGMarkup.Element]) -> [[Int]] {
        var children = [[Int]](repeating: [], count: elements.count)
        for (index, element) in elements.enumerated() {
            if let parent = element.parent { children[parent].append(index) }
        }
        return children
    }

    private static func references(of markup: SVGMarkup) -> [References] {
        var places: [String: Int] = [:]
        for (index, element) in markup.elements.enumerated() {
            if let id = element.tag.id, places[id] == nil { places[id] = index }
        }
        return markup.elements.map { element in
            var style = element.tag.style
            style.add(markup.sheet.style(for: element.tag))
            return References(
                own: style.references.compactMap { places[$0] },
                inherited: style.inherited.compactMap { places[$0] },
                markers: style.markers.compactMap { places[$0] }, effectCount: style.effectCount)
        }
    }

    /// The work of one element; what refers back to it is not done yet, and is not done by librsvg either.
    private init(_ tag: SVGTag, _ children: [Int], _ references: References, _ works: [SVGWork?]) {
        elementCount = Self.cheap.contains(tag.name) ? 0.1 : 1
        ownCount = 1
        pointCount = tag.pointCount
        effectCount = references.effectCount + SVGFilterCost.passCount(of: tag.name)
        effectCountPerPixel = tag.effectCountPerPixel
        passedPixelCount = tag.pictures.reduce(0) { $0 + $1.passedPixelCount }
        for work in children.compactMap({ works[$0] }) { add(work, isReference: false) }
        for work in references.own.compactMap({ works[$0] }) { add(work, isReference: true) }
        let (count, points) = (ownCount, pointCount)
        for work in references.inherited.compactMap({ works[$0] }) {
            add(work, isReference: true, times: count)
        }
        for work in references.markers.compactMap({ works[$0] }) {
            add(work, isReference: true, times: points)
        }
        depth += 1
        surfaceCount += Self.surfaceCount(of: tag, effectCount: references.effectCount, childCount: children.count)
    }

    /// Those of the element itself: of a group, and of what its effects put together. A filter may keep what each of its
    /// primitives has made until the last one is done.
    private static func surfaceCount(of tag: SVGTag, effectCount: Double, childCount: Int) -> Double {
        guard !tag.name.hasPrefix("fe") else { return 0 }
        switch tag.name {
        case "filter": return Double(childCount) + surfacesPerFilter
        case "mask": return effectCount + 2
        default: return effectCount
        }
    }

    /// - Parameter times: How often it is drawn; nil for a part of the element itself.
    private mutating func add(_ work: SVGWork, isReference: Bool, times: Double? = nil) {
        if times == nil {
            ownCount += work.ownCount
            pointCount += work.pointCount
        }
        elementCount += work.elementCount * (times ?? 1)
        effectCount += work.effectCount * (times ?? 1)
        effectCountPerPixel += work.effectCountPerPixel * (times ?? 1)
        passedPixelCount += work.passedPixelCount * (times ?? 1)
        surfaceCount = max(surfaceCount, work.surfaceCount)
        depth = max(depth, work.depth)
        referenceDepth = max(referenceDepth, work.referenceDepth + (isReference ? 1 : 0))
    }

    /// - Throws: ``WebImageError/Code/limitExceeded``, naming the limit.
    func check(_ limits: ImageLimits) throws(WebImageError) {
        // Not "more than": what is no number is too much.
        if !(elementCount <= Double(limits.maximumElementCount)) {
            throw Self.tooMuch("more elements than", limits.maximumElementCount, "maximumElementCount")
        }
        if depth > limits.maximumElementDepth {
            throw Self.tooMuch(
                "elements deeper in each other than", limits.maximumElementDepth, "maximumElementDepth")
        }
        if referenceDepth > Self.maximumReferenceDepth {
            throw .damaged(
                .svg, "more than \(Self.maximumReferenceDepth) references lead from one to the next")
        }
        if !(pixelCount <= Double(limits.maximumPixelCount)) {
            throw Self.tooMuch("pictures of more pixels than", limits.maximumPixelCount, "maximumPixelCount")
        }
    }

    /// What is held beside the result is three times as much at most, so that all of it is 16 bytes a pixel.
    private static let surfacesPerPixel = 3.0
    /// What a filter holds beside what its primitives have made, as measured: what it is for, and a blur's own.
    private static let surfacesPerFilter = 5.0
    /// As gdk-pixbuf has read it, and as cairo draws it.
    private static let surfacesPerPicture = 2.0

    /// Checks what the effects cost in a picture of `size`.
    ///
    /// - Parameter scale: Pixels for one of the document's own.
    func check(_ limits: ImageLimits, size: PixelSize, scale: Double) throws(WebImageError) {
        let passes = effectCount + effectCountPerPixel * scale
        if !(passes * Double(size.area) + passedPixelCount <= Double(limits.maximumEffectPixelCount)) {
            throw Self.tooMuch(
                "effects on more pixels than", limits.maximumEffectPixelCount, "maximumEffectPixelCount")
        }
        let held = surfaceCount * Double(size.area) + pixelCount * Self.surfacesPerPicture
        if !(held <= Double(limits.maximumPixelCount) * Self.surfacesPerPixel) {
            throw Self.tooMuch(
                "effects within each other that hold more pixels than \(Int(Self.surfacesPerPixel)) times",
                limits.maximumPixelCount, "maximumPixelCount")
        }
    }

    private static func tooMuch(_ finding: String, _ limit: Int, _ name: String) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason:
                "the SVG file has \(finding) the \(limit) that are allowed; raise ImageLimits.\(name) to take it"
        )
    }
}
