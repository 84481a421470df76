import WebImage

/// The sizes, coordinates and paints of a document's elements, as upper bounds.
struct SVGDrawing {
    private let elements: [SVGMarkup.Element]
    private let references: [SVGReferences]
    private let geometries: [SVGGeometry]
    /// The longest side that a percentage can refer to.
    private let viewport: Double
    /// The largest font size, letter spacing included.
    private let font: Double
    private let strokeWidth: Double
    /// Whether axes may be rotated or skewed. cairo then computes the bounding box of a shape along the screen's axes
    /// and transforms it back, which enlarges it by the ratio of the axes' scales.
    let isTurned: Bool

    /// Whether entities may enlarge what they style.
    private let entitiesScale: Bool

    /// The elements that are drawn only where they are referenced.
    static let hidden: Set = [
        "defs", "symbol", "pattern", "marker", "mask", "clipPath", "filter", "linearGradient", "radialGradient",
    ]
    /// The maximum width of a letter, in font sizes.
    private static let letterWidth = 4.0
    /// Larger than CSS's `xx-large`.
    private static let usualFontSize = 48.0
    private static let markerSide = SVGLength(pixels: 3)

    init(_ markup: SVGMarkup, _ references: [SVGReferences], styles: [SVGStyle]) {
        elements = markup.elements
        entitiesScale = markup.entitiesScale
        self.references = references
        geometries = zip(markup.elements, styles).map { element, style in
            var geometry = element.tag.geometry
            geometry.add(style.geometry)
            return geometry
        }
        isTurned = geometries.contains { $0.isUnknown || $0.transform?.isTurned ?? false }
        font = markup.declaresEntities ? .infinity : Self.fontSize(geometries)
        viewport = Self.viewport(markup.elements, geometries, font: font)
        let (font, viewport) = (font, viewport)
        strokeWidth = geometries.reduce(1) { width, geometry in
            let own = geometry.lengths["stroke-width"]?.resolved(viewport: viewport, font: font) ?? 1
            return max(width, geometry.isUnknown ? .infinity : own)
        }
    }

    private static func fontSize(_ geometries: [SVGGeometry]) -> Double {
        var (size, space) = (usualFontSize, SVGLength())
        for geometry in geometries {
            if geometry.isUnknown { return .infinity }
            if let length = geometry.lengths["font-size"] {
                // Relative sizes of nested elements multiply.
                if length.share > 1 || length.ems > 1 { return .infinity }
                size = max(size, length.pixels)
            }
            for name in ["letter-spacing", "word-spacing"] {
                if let length = geometry.lengths[name] { space = space.union(length) }
            }
        }
        return size + space.resolved(viewport: size, font: size)
    }

    private static func viewport(_ elements: [SVGMarkup.Element], _ geometries: [SVGGeometry], font: Double) -> Double {
        // The default size of a document without a size.
        var side = geometries.first?.viewBox == nil ? 300.0 : 0
        for (element, geometry) in zip(elements, geometries) {
            if let box = geometry.viewBox { side = max(side, abs(box.width), abs(box.height)) }
            guard ["svg", "symbol", "use"].contains(element.tag.name) else { continue }
            for name in ["width", "height"] {
                guard let length = geometry.lengths[name] else { continue }
                side = length.share > 1 ? .infinity : max(side, length.resolved(viewport: 0, font: font))
            }
        }
        return side
    }

    /// The factor by which the document's coordinates are enlarged when it is drawn at its own size.
    var norm: Double {
        guard let root = geometries.first else { return 0 }
        guard !root.isUnknown else { return transformNorm(of: 0) }
        return transformNorm(of: 0).times(rootNorm(isTurned: isTurned))
    }

    /// The factor from its view box to its size.
    private func rootNorm(isTurned: Bool) -> Double {
        guard let root = geometries.first, let viewBox = root.viewBox else { return 1 }
        // A percentage is no size of its own; without any, the view box is the size.
        let sides = ["width", "height"].map { (root.lengths[$0]?.share ?? 0) == 0 ? side($0, of: 0) : nil }
        let (across, down) = (sides[0]?.over(viewBox.width), sides[1]?.over(viewBox.height))
        return Self.norm(across ?? down ?? 1, down ?? across ?? 1, isTurned: isTurned)
    }

    /// The maximum factor by which lines grow, or, where axes may be rotated, bounding boxes.
    static func norm(_ transform: SVGTransform, isTurned: Bool) -> Double {
        transform.norm.times(isTurned ? transform.spread : 1)
    }

    static func norm(_ across: Double, _ down: Double, isTurned: Bool) -> Double {
        let norm = max(across, down)
        return norm.times(isTurned ? norm / min(across, down) : 1)
    }

    /// The cost of the tiles of element `index`, in its inner coordinates.
    func tiles(of index: Int, children: [Int], count: Double, _ works: [SVGTiles?]) -> SVGTiles {
        var tiles = SVGTiles()
        let name = elements[index].tag.name
        for child in children where !Self.hidden.contains(elements[child].tag.name) || name == "filter" {
            if let work = works[child] { tiles.add(work, norm: norm(of: child, in: index)) }
        }
        addOwn(index, to: &tiles)
        for reference in references[index].own {
            guard let work = works[reference] else { continue }
            let box = boxNorm(of: reference, for: index)
            tiles.add(work, norm: norm(of: reference, in: index).times(box))
            if elements[reference].tag.name == "filter" { tiles.addFilter(takesPaint: work.takesPaint) }
        }
        for reference in references[index].inherited + references[index].markers {
            guard let work = works[reference] else { continue }
            if elements[reference].tag.name == "pattern" {
                tiles.add(paint(reference, on: tiles, content: work, count: count))
            } else {
                tiles.add(work, norm: norm(of: reference, in: index))
            }
        }
        return tiles
    }

    private func addOwn(_ index: Int, to tiles: inout SVGTiles) {
        let (element, geometry) = (elements[index], geometries[index])
        if geometry.takesPaint { tiles.noteThatItTakesPaint() }
        if SVGTextSize.texts.contains(element.tag.name) {
            tiles.add(textSide: textSide(of: element, geometry).times(isTurned ? 2 : 1))
        } else if let size = size(of: element.tag.name, geometry) {
            let isUnknown = geometry.isUnknown
            let turned = isUnknown ? Double.infinity : 2 * max(size.width, size.height)
            let isPlain = !isTurned && !isUnknown
            tiles.add(width: isPlain ? size.width : turned, height: isPlain ? size.height : turned)
        }
    }

    private func paint(_ pattern: Int, on painted: SVGTiles, content: SVGTiles, count: Double) -> (Double, Double) {
        let resolved = SVGPattern(pattern, elements, isTurned: isTurned) { place in
            references[place].own.first { elements[$0].tag.name == "pattern" }
        }
        return resolved.tiles(painting: painted, content: content, count: count) { length, isOfBox in
            length.resolved(viewport: isOfBox ? 1 : viewport, font: font)
        }
    }

    /// The bounding box of a shape; nil for other elements.
    private func size(of name: String, _ geometry: SVGGeometry) -> (width: Double, height: Double)? {
        func length(_ name: String) -> Double { geometry.lengths[name].map(resolved) ?? 0 }
        switch name {
        case "rect": return (length("width"), length("height"))
        case "circle": return (2 * length("r"), 2 * length("r"))
        case "ellipse":
            let (across, down) = (length("rx"), length("ry"))
            return (2 * (across > 0 ? across : down), 2 * (down > 0 ? down : across))
        case "line": return (length("x1") + length("x2"), length("y1") + length("y2"))
        case "path", "polygon", "polyline": return geometry.pathSize ?? (0, 0)
        default: return nil
        }
    }

    private func resolved(_ length: SVGLength) -> Double { length.resolved(viewport: viewport, font: font) }

    /// The maximum factor by which lines grow where `user` contains or references `index`.
    private func norm(of index: Int, in user: Int) -> Double {
        transformNorm(of: index).times(viewportNorm(of: index, in: user, isTurned: isTurned))
    }

    private func transformNorm(of index: Int) -> Double {
        // A pattern's transform is part of its tile's size.
        guard elements[index].tag.name != "pattern" else { return 1 }
        return Self.norm(
            geometries[index].isUnknown ? .unknown : geometries[index].transform ?? .none, isTurned: isTurned)
    }

    private func viewportNorm(of index: Int, in user: Int, isTurned: Bool) -> Double {
        let name = elements[index].tag.name
        guard let viewBox = geometries[index].viewBox else { return name == "marker" ? strokeWidth : 1 }
        var (width, height) = (side("width", of: index), side("height", of: index))
        switch name {
        case "svg", "symbol":
            if elements[user].tag.name == "use" {
                (width, height) = (side("width", of: user) ?? width, side("height", of: user) ?? height)
            }
        case "marker":
            width = resolved(geometries[index].lengths["markerWidth"] ?? Self.markerSide).times(strokeWidth)
            height = resolved(geometries[index].lengths["markerHeight"] ?? Self.markerSide).times(strokeWidth)
        default: return 1
        }
        return Self.norm(
            (width ?? viewport).over(viewBox.width), (height ?? viewport).over(viewBox.height), isTurned: isTurned)
    }

    /// nil without a value. A value from a style rule is an upper bound only, because the rule may be for other
    /// elements.
    private func side(_ name: String, of index: Int) -> Double? {
        guard elements[index].tag.geometry.lengths[name] != nil, let length = geometries[index].lengths[name] else {
            return geometries[index].lengths[name].map { max(resolved($0), viewport) }
        }
        return resolved(length)
    }

    /// The factor by which the letters of the whole document grow, at least 1.
    var rootTextNorm: Double { ownTextNorm(of: 0).times(max(1, rootNorm(isTurned: false))) }

    /// The factor by which letters in `index` grow where `user` contains or references it, at least 1: librsvg ignores
    /// what it does not understand, which may be what reduces them.
    func textNorm(of index: Int, in user: Int) -> Double {
        let inner =
            elements[index].tag.name == "pattern"
            ? patternNorm(of: index, in: user)
            : viewportNorm(of: index, in: user, isTurned: false).times(boxNorm(of: index, for: user))
        return ownTextNorm(of: index).times(max(1, inner))
    }

    private func ownTextNorm(of index: Int) -> Double {
        let geometry = geometries[index]
        return geometry.isUnknown && entitiesScale ? .infinity : max(1, geometry.transform?.norm ?? 1)
    }

    /// The longer side of an element's bounding box; infinite where it is not computed, as that of a group.
    private func boxSide(of index: Int) -> Double {
        let (element, geometry) = (elements[index], geometries[index])
        guard !isTurned else { return .infinity }
        if SVGTextSize.texts.contains(element.tag.name) { return textSide(of: element, geometry) }
        return size(of: element.tag.name, geometry).map { max($0.width, $0.height) } ?? .infinity
    }

    /// The length of its letters in a row.
    private func textSide(of element: SVGMarkup.Element, _ geometry: SVGGeometry) -> Double {
        Double(element.contentCount).times(font).times(Self.letterWidth) + resolved(geometry.textReach)
    }

    /// The factor from a pattern's content to what it paints.
    private func patternNorm(of index: Int, in user: Int) -> Double {
        let geometry = geometries[index]
        let isOfBox = geometry.isOfBox["patternUnits"] ?? true
        guard geometry.viewBox != nil || geometry.isOfBox["patternContentUnits"] == true else { return 1 }
        // The side of another pattern, which takes the values of this one, is infinite.
        let box = boxSide(of: user)
        guard let viewBox = geometry.viewBox else { return box }
        let sides = [("width", viewBox.width), ("height", viewBox.height)].map { name, length in
            let side = geometry.lengths[name].map { $0.resolved(viewport: isOfBox ? 1 : viewport, font: font) } ?? 0
            return side.times(isOfBox ? box : 1).over(length)
        }
        return max(sides[0], sides[1])
    }

    /// The factor for content in the coordinates of the referencing element's bounding box.
    private func boxNorm(of index: Int, for user: Int) -> Double {
        let units = geometries[index].isOfBox
        guard units["maskContentUnits"] == true || units["clipPathUnits"] == true else { return 1 }
        return boxSide(of: user)
    }
}
