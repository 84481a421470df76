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
    /// Of patterns, at the document's own size.
    private(set) var tiles = SVGTiles()

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

    /// Documents by people refer back to themselves by mistake, and then once or twice.
    private static let maximumRoundCount = 16

    /// Looked at so often whether anybody still waits.
    private static let stepsBetweenChecks = 1024

    init(_ markup: SVGMarkup, options: ImageDecodeOptions) throws(WebImageError) {
        let elements = markup.elements
        guard elements.count * markup.sheet.referenceCount <= Self.maximumRuleCount else {
            elementCount = .infinity
            return
        }
        let styles = elements.map { element in
            var style = element.tag.style
            style.add(markup.sheet.style(for: element.tag))
            return style
        }
        guard let references = SVGReferences.all(in: markup, styles: styles) else {
            elementCount = .infinity
            return
        }
        let children = Self.children(of: elements)
        let drawing = SVGDrawing(markup, references, styles: styles)
        var sum = Sum(count: elements.count)
        var roundCount = 1
        while roundCount > sum.roundCount {
            guard sum.roundCount < Self.maximumRoundCount else {
                elementCount = .infinity
                return
            }
            let cycleCount = try sum.addUp(children, references, elements, drawing, options: options)
            roundCount = cycleCount + 1
        }
        if let work = sum.works.first ?? nil { self = work }
        if let root = sum.tiles.first ?? nil { tiles.add(root, norm: drawing.norm) }
        elementCount = max(elementCount, Double(elements.count))
        pixelCount = elements.reduce(0) { $0 + $1.tag.pictures.reduce(0) { $0 + $1.pixelCount } }
    }

    /// The works of all elements, each after those that it is made of.
    private struct Sum {
        var works: [SVGWork?]
        var tiles: [SVGTiles?]
        var roundCount = 0

        init(count: Int) {
            works = .init(repeating: nil, count: count)
            tiles = .init(repeating: nil, count: count)
        }

        /// Of what refers back to itself, librsvg draws each once more: for those the works of the round before are taken.
        ///
        /// - Returns: How often something refers back.
        mutating func addUp(
            _ children: [[Int]], _ references: [SVGReferences], _ elements: [SVGMarkup.Element], _ drawing: SVGDrawing,
            options: ImageDecodeOptions
        ) throws(WebImageError) -> Int {
            roundCount += 1
            var (stepCount, cycleCount) = (0, 0)
            var isBegun = [Bool](repeating: false, count: elements.count)
            var isDone = isBegun
            // Not by recursion: the document decides how deep it goes.
            var pending = Array(elements.indices.prefix(1))
            while let index = pending.last {
                if stepCount % stepsBetweenChecks == 0 { try options.checkCancellation() }
                stepCount += 1
                if !isBegun[index] {
                    isBegun[index] = true
                    let parts = children[index] + references[index].all
                    cycleCount += parts.count { isBegun[$0] && !isDone[$0] }
                    pending += parts.filter { !isBegun[$0] }
                } else {
                    pending.removeLast()
                    guard !isDone[index] else { continue }
                    isDone[index] = true
                    let work = SVGWork(elements[index].tag, children[index], references[index], works)
                    works[index] = work
                    tiles[index] = drawing.tiles(of: index, children: children[index], count: work.ownCount, tiles)
                }
            }
            return cycleCount
        }
    }

    private static func children(of elements: [SVGMarkup.Element]) -> [[Int]] {
        var children = [[Int]](repeating: [], count: elements.count)
        for (index, element) in elements.enumerated() {
            if let parent = element.parent { children[parent].append(index) }
        }
        return children
    }

    /// The work of one element.
    private init(_ tag: SVGTag, _ children: [Int], _ references: SVGReferences, _ works: [SVGWork?]) {
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

    /// Checks what the effects cost in a picture as `geometry` has it.
    func check(_ limits: ImageLimits, _ geometry: ThumbnailGeometry) throws(WebImageError) {
        let across = Double(geometry.outputSize.width) / Double(geometry.sourceSize.width)
        let down = Double(geometry.outputSize.height) / Double(geometry.sourceSize.height)
        let scale = max(across, down)
        try check(limits, size: geometry.outputSize, scale: scale, stretch: scale / min(across, down))
    }

    /// Checks what the effects cost in a picture of `size`.
    ///
    /// - Parameters:
    ///   - scale: Pixels for one of the document's own, on the side that is enlarged more.
    ///   - stretch: How much more that is than on the other.
    func check(_ limits: ImageLimits, size: PixelSize, scale: Double, stretch: Double = 1) throws(WebImageError) {
        let tileScale = scale * stretch * scale * stretch
        let held =
            surfaceCount * Double(size.area) + pixelCount * Self.surfacesPerPicture + tiles.held.times(tileScale)
        if !(held <= Double(limits.maximumPixelCount) * Self.surfacesPerPixel) {
            throw Self.tooMuch(
                "effects and patterns within each other that hold more pixels than \(Int(Self.surfacesPerPixel)) times",
                limits.maximumPixelCount, "maximumPixelCount")
        }
        let passes = effectCount + effectCountPerPixel * scale
        let passed = passes * Double(size.area) + passedPixelCount + tiles.passed.times(tileScale)
        if !(passed <= Double(limits.maximumEffectPixelCount)) {
            throw Self.tooMuch(
                "effects on more pixels than", limits.maximumEffectPixelCount, "maximumEffectPixelCount")
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
