import WebImageCore

/// The sizes on the way from a source to the result, which depend on the options and on the source's size alone.
///
/// The source is as it is seen: its orientation and the turn that is asked for are applied. The order of the work: crop,
/// resize, cut to the size, extend, pad.
struct ResultGeometry: Equatable {
    /// The size of the part that is cut out of the source; its own size for all of it.
    let crop: PixelSize
    /// The size that the part is resized to.
    let scaled: PixelSize
    /// The size of the part that is cut out of the resized picture; its own size for all of it.
    let cut: PixelSize
    /// The area that the picture is extended to, and its place there; nil for none.
    let extent: Extent?
    /// Pixels of a point, for offsets and paddings: less than what was asked for where the picture is too small for it.
    let scale: Double

    struct Extent: Equatable {
        let size: PixelSize
        let gravity: Gravity
    }

    init(_ options: ProcessingOptions, of source: PixelSize, isVector: Bool = false) {
        crop = Self.crop(options, of: source)
        let factors = Factors(options, of: crop, mayEnlarge: options.enlarges || isVector)
        scale = factors.scale
        scaled = PixelSize(
            width: max(1, (Double(crop.width) * factors.x).roundedToInt),
            height: max(1, (Double(crop.height) * factors.y).roundedToInt))
        let wanted = (
            width: Self.wanted(options.width, options.zoomX * scale),
            height: Self.wanted(options.height, options.zoomY * scale)
        )
        cut = Self.cut(options, of: scaled, to: wanted)
        extent = Self.extent(options, of: cut, to: wanted)
    }

    /// The size with the extent and the padding.
    func resultSize(_ padding: ProcessingOptions.Padding) -> PixelSize {
        let size = extent?.size ?? cut
        let across = [padding.left, padding.right].reduce(0) { $0 + pixels(of: $1) }
        let down = [padding.top, padding.bottom].reduce(0) { $0 + pixels(of: $1) }
        return PixelSize(width: size.width + across, height: size.height + down)
    }

    func pixels(of points: Int) -> Int { (Double(points) * scale).roundedToInt }

    private static func crop(_ options: ProcessingOptions, of source: PixelSize) -> PixelSize {
        guard let crop = options.crop else { return source }
        func side(_ wanted: Offset?, _ whole: Int) -> Int {
            min(whole, max(1, wanted?.pixels(of: whole) ?? whole))
        }
        return PixelSize(width: side(crop.width, source.width), height: side(crop.height, source.height))
    }

    /// nil for a side that nothing was said of.
    private static func wanted(_ points: Int, _ scale: Double) -> Int? {
        points == 0 ? nil : max(1, (Double(points) * scale).roundedToInt)
    }

    private static func cut(
        _ options: ProcessingOptions, of size: PixelSize, to wanted: (width: Int?, height: Int?)
    ) -> PixelSize {
        var (width, height) = (wanted.width ?? size.width, wanted.height ?? size.height)
        if options.resizingType == .fillDown {
            // Both sides shrink alike, so that the aspect ratio stays that of the size.
            let excess = max(1, Double(width) / Double(size.width), Double(height) / Double(size.height))
            width = max(1, (Double(width) / excess).roundedToInt)
            height = max(1, (Double(height) / excess).roundedToInt)
        }
        return PixelSize(width: min(width, size.width), height: min(height, size.height))
    }

    private static func extent(
        _ options: ProcessingOptions, of size: PixelSize, to wanted: (width: Int?, height: Int?)
    ) -> Extent? {
        if let gravity = options.extent {
            let area = PixelSize(
                width: max(size.width, wanted.width ?? 0), height: max(size.height, wanted.height ?? 0))
            if area != size { return Extent(size: area, gravity: gravity) }
        }
        guard let gravity = options.aspectRatioExtent, let width = wanted.width, let height = wanted.height else {
            return nil
        }
        let ratio = Double(width) / Double(height)
        let area = PixelSize(
            width: max(size.width, (Double(size.height) * ratio).roundedToInt),
            height: max(size.height, (Double(size.width) / ratio).roundedToInt))
        return area == size ? nil : Extent(size: area, gravity: gravity)
    }
}

extension ResultGeometry {
    /// By how much the picture is resized.
    private struct Factors {
        var x = 1.0
        var y = 1.0
        /// Pixels of a point.
        var scale: Double

        init(_ options: ProcessingOptions, of source: PixelSize, mayEnlarge: Bool) {
            scale = options.dpr
            fit(options, source)
            x *= options.zoomX
            y *= options.zoomY
            if !mayEnlarge { limit() }
            reach(options, source)
            x *= scale
            y *= scale
        }

        private mutating func fit(_ options: ProcessingOptions, _ source: PixelSize) {
            if options.width > 0 { x = Double(options.width) / Double(source.width) }
            if options.height > 0 { y = Double(options.height) / Double(source.height) }
            let type = Self.type(options, source)
            guard type != .force else { return }
            switch (options.width, options.height) {
            case (0, 0): break
            case (0, _): x = y
            case (_, 0): y = x
            default:
                let factor = type == .fit ? min(x, y) : max(x, y)
                (x, y) = (factor, factor)
            }
        }

        private static func type(_ options: ProcessingOptions, _ source: PixelSize) -> ProcessingOptions.ResizingType {
            guard options.resizingType == .auto else { return options.resizingType }
            return (source.width >= source.height) == (options.width >= options.height) ? .fill : .fit
        }

        /// No side grows, and neither by ``scale``: it gets as small as the picture needs.
        private mutating func limit() {
            let largest = max(x, y)
            if largest > 1 {
                x /= largest
                y /= largest
            }
            scale = min(scale, 1 / max(x, y))
        }

        /// A picture that is too small for the least sides grows to them.
        private mutating func reach(_ options: ProcessingOptions, _ source: PixelSize) {
            let least = max(
                1, Double(options.minimumWidth) / (Double(source.width) * x),
                Double(options.minimumHeight) / (Double(source.height) * y))
            x *= least
            y *= least
        }
    }
}
