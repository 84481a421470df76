import WebImageCore

extension ProcessingOptions {
    /// A name for all that changes the result's pixels: equal for options that give equal ones.
    var pixelKey: String {
        "service(" + (geometryKey + contentKey).filter { !$0.isEmpty }.joined(separator: ",") + ")"
    }

    private var geometryKey: [String] {
        [
            width == 0 && height == 0 ? "" : "\(resizingType.rawValue)\(width)x\(height)",
            minimumWidth == 0 && minimumHeight == 0 ? "" : "min\(minimumWidth)x\(minimumHeight)",
            zoomX == 1 && zoomY == 1 ? "" : "zoom\(zoomX)x\(zoomY)", dpr == 1 ? "" : "dpr\(dpr)",
            enlarges ? "enlarge" : "", extent.map { "extend\($0.key)" } ?? "",
            aspectRatioExtent.map { "ratio\($0.key)" } ?? "", gravity == .center ? "" : gravity.key,
            crop.map { "crop\($0.width?.key ?? "-")x\($0.height?.key ?? "-")\($0.gravity?.key ?? "")" } ?? "",
            trim.map { "trim\($0.threshold)\($0.color?.hex ?? "")\($0.isEqualAcross)\($0.isEqualDown)" } ?? "",
            padding == Padding() ? "" : "pad\(padding.top):\(padding.right):\(padding.bottom):\(padding.left)",
            quarterTurns == 0 ? "" : "turn\(quarterTurns)", flipsHorizontally ? "across" : "",
            flipsVertically ? "down" : "",
        ]
    }

    private var contentKey: [String] {
        [
            background.map { "on\($0.hex)" } ?? "", blur == 0 ? "" : "blur\(blur)",
            sharpen == 0 ? "" : "sharp\(sharpen)",
            pixelate < 2 ? "" : "pixels\(pixelate)", watermark.map { "mark\($0.key)" } ?? "",
        ]
    }
}

extension ProcessingOptions.Watermark {
    fileprivate var key: String {
        let place =
            switch position {
            case .at(let gravity): gravity.key
            case .tiled(let x, let y): "tiled\(x.key)\(y.key)"
            }
        return "\(opacity)\(place)x\(scale ?? 0)"
    }
}

extension Gravity {
    fileprivate var key: String {
        switch anchor {
        case .edge(let x, let y): "@\(x):\(y)" + self.x.key + self.y.key
        case .focus(let x, let y): "@focus\(x):\(y)"
        case .smart: "@smart"
        }
    }
}

extension Offset {
    fileprivate var key: String {
        switch self {
        case .points(let points): "+\(points)"
        case .share(let share): "*\(share)"
        }
    }
}
