import WebImageCore

/// How a thumbnail becomes the picture: where it stands, and what happens when the original is there.
package struct HandoffLayout: Sendable, Equatable {
    /// The way in which the original replaces the thumbnail.
    package enum Swap: Sendable, Hashable {
        /// The two look the same: nothing is seen.
        case silent
        /// The thumbnail is squeezed to the height of the original and darkens; then the original brightens.
        case squeeze
        /// The original fades in.
        case crossFade
    }

    /// The place of the whole thumbnail in the view of the page; it may reach beyond the view.
    package let frame: PointRect
    package let swap: Swap

    /// Proportions that differ by less than this part look the same.
    private static let sameProportions = 0.02

    /// - Parameters:
    ///   - thumbnail: The size of the thumbnail, in any unit.
    ///   - original: The size of the original in points; nil while nothing is known.
    package init(
        thumbnail: PointSize, original: PointSize?, view: PointSize, rules: ZoomLimits.Rules = ZoomLimits.Rules()
    ) {
        let original = original.flatMap { $0.isEmpty ? nil : $0 }
        // Without a size, the thumbnail counts as the whole picture, reduced.
        let place = original.map { PhotoZoom(of: $0, in: view, rules: rules).frame }
        let fitted = ContentFit.contain.frame(of: thumbnail, in: view)
        guard let original, let place else {
            self.init(frame: fitted, swap: .silent)
            return
        }
        let isSame = abs(thumbnail.aspect / original.aspect - 1) < Self.sameProportions
        switch LongPicture(original, ratio: rules.longPictureRatio) {
        case _ where isSame: self.init(frame: place, swap: .silent)
        case .vertical:
            // The thumbnail shows the top of the picture, as wide as that.
            let height = place.size.width / thumbnail.aspect
            self.init(frame: PointRect(x: place.x, y: 0, width: place.size.width, height: height), swap: .silent)
        case .horizontal: self.init(frame: fitted, swap: .squeeze)
        case nil: self.init(frame: fitted, swap: .crossFade)
        }
    }

    init(frame: PointRect, swap: Swap) {
        self.frame = frame
        self.swap = swap
    }

    /// The layout once the loaded original has told its size. The thumbnail keeps its place. If the original has another
    /// place, it fades in: a silent swap would jump.
    package func known(original: PointSize, thumbnail: PointSize, view: PointSize, rules: ZoomLimits.Rules) -> Self {
        let other = HandoffLayout(thumbnail: thumbnail, original: original, view: view, rules: rules)
        let (place, former) = (other.frame, frame)
        let shifts = [place.x - former.x, place.y - former.y, place.maxX - former.maxX, place.maxY - former.maxY]
        // Nobody sees two points.
        let isSeen = other.swap == .silent && !shifts.allSatisfy { abs($0) <= 2 }
        return HandoffLayout(frame: frame, swap: isSeen ? .crossFade : other.swap)
    }

    /// The factor of height that makes the thumbnail as high as the original on the screen.
    package func squeeze(to original: PointRect) -> Double {
        frame.size.height > 0 ? original.size.height / frame.size.height : 1
    }
}

extension PointSize {
    /// Width by height.
    var aspect: Double { height > 0 ? width / height : 0 }
}
