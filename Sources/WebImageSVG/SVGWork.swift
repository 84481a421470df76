import WebImage

/// The cost of drawing a document, references included. librsvg walks the document by recursion, crashes when its stack
/// overflows, and cannot be interrupted.
struct SVGWork {
    /// The number of drawn elements, with repetitions; letters count as their time.
    private(set) var elementCount = 0.0
    /// The maximum depth of nested elements and references.
    private(set) var depth = 0
    /// The maximum length of a chain of references.
    private(set) var referenceDepth = 0
    /// The number of passes over all pixels, for filters, masks and opacity.
    private(set) var effectCount = 0.0
    private(set) var effectCountPerPixel = 0.0
    /// The number of surfaces of the picture's size that are held in addition to it.
    private(set) var surfaceCount = 0.0
    /// The pixels of embedded pictures, with repetitions.
    private(set) var passedPixelCount = 0.0
    /// The pixels of embedded pictures, each counted once.
    private var pixelCount = 0.0
    /// The cost of pattern tiles, at the document's own size.
    private(set) var tiles = SVGTiles()

    /// A depth that librsvg's stack holds safely; drawings made by people have less than ten.
    static let maximumReferenceDepth = 30

    /// The height of the highest text at the document's own size, in pixels.
    private var textHeight = 0.0

    /// The number of elements in one drawing of this element, without those drawn per element.
    private var ownCount = 0.0
    /// The number of path points, counted likewise.
    private var pointCount = 0.0

    /// The parts of gradients are only looked up.
    private static let cheap: Set = ["linearGradient", "radialGradient", "stop"]
    /// The maximum number of rules times elements to examine.
    private static let maximumRuleCount = 20_000_000

    /// The maximum number of rounds for circular references; documents made by people have one or two, by mistake.
    private static let maximumRoundCount = 16

    /// Steps between two checks for cancellation.
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
        textHeight = SVGTextSize.largest(in: markup, references, styles: styles, drawing)
        pixelCount = elements.reduce(0) { $0 + $1.tag.pictures.reduce(0) { $0 + $1.pixelCount } }
    }

    /// The costs of all elements, each computed after its parts.
    private struct Sum {
        var works: [SVGWork?]
        var tiles: [SVGTiles?]
        var roundCount = 0

        init(count: Int) {
            works = .init(repeating: nil, count: count)
            tiles = .init(repeating: nil, count: count)
        }

        /// librsvg follows a circular reference once more before it stops: such references take the cost of the round
        /// before.
        ///
        /// - Returns: The number of circular references.
        mutating func addUp(
            _ children: [[Int]], _ references: [SVGReferences], _ elements: [SVGMarkup.Element], _ drawing: SVGDrawing,
            options: ImageDecodeOptions
        ) throws(WebImageError) -> Int {
            roundCount += 1
            var (stepCount, cycleCount) = (0, 0)
            var isBegun = [Bool](repeating: false, count: elements.count)
            var isDone = isBegun
            // Without recursion: the document determines the depth.
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
                    let work = SVGWork(elements[index], children[index], references[index], works)
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

    /// The cost of one element.
    private init(
        _ element: SVGMarkup.Element, _ children: [Int], _ references: SVGReferences, _ works: [SVGWork?]
    ) {
        let tag = element.tag
        elementCount = (Self.cheap.contains(tag.name) ? 0.1 : 1) + element.letterCost
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

    /// The surfaces of the element itself: of a group, and of its effects. A filter may keep the result of each of its
    /// primitives until the last one is done.
    private static func surfaceCount(of tag: SVGTag, effectCount: Double, childCount: Int) -> Double {
        guard !tag.name.hasPrefix("fe") else { return 0 }
        switch tag.name {
        case "filter": return Double(childCount) + surfacesPerFilter
        case "mask": return effectCount + 2
        default: return effectCount
        }
    }

    /// - Parameter times: The number of drawings; nil for a part of the element itself.
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
        // Not ">": NaN counts as too much.
        if !(elementCount <= Double(limits.maximumElementCount)) {
            throw Self.tooMuch(
                "more elements, or letters that take longer, than", limits.maximumElementCount, "maximumElementCount")
        }
        if depth > limits.maximumElementDepth {
            throw Self.tooMuch(
                "elements deeper in each other than", limits.maximumElementDepth, "maximumElementDepth")
        }
        if referenceDepth > Self.maximumReferenceDepth {
            throw .damaged(
                .svg, "more than \(Self.maximumReferenceDepth) references lead from one to the next")
        }
        try checkText(scale: 1)
        if !(pixelCount <= Double(limits.maximumPixelCount)) {
            throw Self.tooMuch("pictures of more pixels than", limits.maximumPixelCount, "maximumPixelCount")
        }
    }

    /// The surfaces beside the result have three times its pixels at most, so that everything takes 16 bytes a pixel.
    private static let surfacesPerPixel = 3.0
    /// Measured surfaces of a filter beyond the results of its primitives: its input, and the buffers of a blur.
    private static let surfacesPerFilter = 5.0
    /// One decoded by gdk-pixbuf, and one that cairo draws.
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
    ///   - scale: Pixels per unit of the document, on the axis with the larger scale.
    ///   - stretch: The ratio of the larger to the smaller scale.
    func check(_ limits: ImageLimits, size: PixelSize, scale: Double, stretch: Double = 1) throws(WebImageError) {
        try checkText(scale: scale * stretch)
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

    /// librsvg cannot lay out larger ones, whatever they are reduced to.
    private func checkText(scale: Double) throws(WebImageError) {
        guard !(textHeight.times(max(1, scale)) <= SVGTextSize.limit) else { return }
        throw .damaged(
            .svg, "a text is drawn higher than \(Int(SVGTextSize.limit)) pixels, or an entity or escape hides its size")
    }

    private static func tooMuch(_ finding: String, _ limit: Int, _ name: String) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason:
                "the SVG file has \(finding) the \(limit) that are allowed; raise ImageLimits.\(name) to take it"
        )
    }
}
