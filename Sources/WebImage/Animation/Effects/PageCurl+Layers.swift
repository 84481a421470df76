import Glibc

extension TransitionEffect {
    /// The former content rolls up from the bottom like a page, and uncovers the new one.
    public static let curlUp = TransitionEffect(builtIn: "curlUp") { progress, scene in
        PageCurl(progress: progress, in: scene).layers(in: scene)
    }

    /// The new content unrolls from the top like a page, and covers the former one.
    public static let curlDown = curlUp.reversed(as: "curlDown")
}

extension PageCurl {
    /// The new content below, the former content on the page.
    func layers(in scene: TransitionScene) -> [TransitionLayer] {
        let page = scene.opaqueFrame(of: .old).flatMap(bounds.intersection)
        let strips = strips
        let uncovered = rows(Extent(max(0, lowestEdge), bounds.maxY))
        var layers: [TransitionLayer] = []
        layers.reserveCapacity(2 * strips.count + 3)
        if !uncovered.size.isEmpty { layers.append(TransitionLayer(.new, source: uncovered)) }
        if let below = scene.opaqueFrame(of: .new).flatMap(uncovered.intersection) {
            layers += shadow(Extent(lowestEdge, lowestEdge + shadowLength), darkest: .start, on: below)
        }
        layers += strips.map { layer($0, isOpaque: scene.isOldOpaque) }
        guard let page else { return layers }
        if looseAngle > .pi, let flat = rows(Extent(0, min(fold, looseEdge))).intersection(page) {
            layers += shadow(Extent(looseEdge - shadowLength, looseEdge), darkest: .end, on: flat)
        }
        return layers + strips.compactMap { shade($0, page) }
    }

    private func rows(_ span: Extent) -> PointRect {
        TransitionLayer.Axis.vertical.rect(along: span, across: Extent(bounds.x, bounds.maxX))
    }

    private func layer(_ strip: Strip, isOpaque: Bool) -> TransitionLayer {
        var layer = TransitionLayer(.old, source: rows(strip.part), frame: rows(strip.seen))
        layer.isMirroredVertically = strip.isBack
        // The back of a translucent page has to stay translucent: paper would hide what is below, whitening does not.
        if strip.isBack, !isOpaque { layer.opacity = 1 - Self.paleness }
        return layer
    }
}

extension PageCurl {
    /// The whiteness of the page's back.
    private static let paleness = 0.6
    /// The darkness where the page bends up, where it overhangs, and below it.
    private static let bendDarkness = 0.4
    private static let edgeDarkness = 0.35
    private static let shadowDarkness = 0.35

    /// The shading of a strip, within the page's picture; nil for a flat part.
    private func shade(_ strip: Strip, _ picture: PointRect) -> TransitionLayer? {
        guard strip.isBack || strip.part.end > fold, let part = rows(strip.part).intersection(picture) else {
            return nil
        }
        let (first, last) = strip.isBack ? (part.maxY, part.y) : (part.y, part.maxY)
        return TransitionLayer(
            .shade(
                from: light(at: first, isBack: strip.isBack), to: light(at: last, isBack: strip.isBack),
                axis: .vertical),
            source: part, frame: layer(strip, isOpaque: true).place(of: part))
    }

    private func light(at position: Double, isBack: Bool) -> RGBAColor {
        let angle = min(.pi, max(0, (position - fold) / radius))
        guard isBack else { return .shade(darkness: Self.bendDarkness * sin(angle)) }
        return .shade(paleness: Self.paleness, darkness: Self.edgeDarkness * (1 + cos(angle)))
    }

    private enum ExtentEnd { case start, end }

    /// A shadow that fades away from its darkest end, within `surface`.
    private func shadow(_ span: Extent, darkest: ExtentEnd, on surface: PointRect) -> [TransitionLayer] {
        guard let frame = rows(span).intersection(surface) else { return [] }
        let strength = Self.shadowDarkness * min(1, max(0, darkest == .start ? looseAngle : looseAngle - .pi))
        func color(at place: Double) -> RGBAColor {
            let share = (place - span.start) / span.length
            return .shade(darkness: strength * (darkest == .start ? 1 - share : share))
        }
        return [
            TransitionLayer(
                .shade(from: color(at: frame.y), to: color(at: frame.maxY), axis: .vertical), source: frame)
        ]
    }
}

extension RGBAColor {
    /// Black over white, with an opacity of 0 to 1 each.
    fileprivate static func shade(paleness: Double = 0, darkness: Double) -> RGBAColor {
        let white = paleness * (1 - darkness)
        let alpha = white + darkness
        let level = alpha > 0 ? channel(white / alpha) : 0
        return RGBAColor(red: level, green: level, blue: level, alpha: channel(alpha))
    }

    private static func channel(_ share: Double) -> UInt8 { UInt8((255 * min(1, max(0, share))).rounded()) }
}
