import Glibc
import WebImageCore

/// The pixels of a page in space, computed slowly and literally: each is the mean of what is visible at many points of
/// it by the exact projection, in double precision. A picture consists of squares of one colour each. All lengths are
/// device pixels of the view.
package struct PageReference {
    /// A picture at rest.
    package struct Picture {
        package let x: Int
        package let y: Int
        package let size: PixelSize
        package let colors: [SIMD4<Float>]
        /// Whether it is opaque, and gets shading.
        package let isShaded: Bool

        /// - Parameter colors: Premultiplied red, green, blue and alpha, 0 to 255.
        package init(x: Int, y: Int, size: PixelSize, colors: [SIMD4<Float>], isShaded: Bool) {
            self.x = x
            self.y = y
            self.size = size
            self.colors = colors
            self.isShaded = isShaded
        }

        fileprivate func color(atX x: Double, y: Double) -> SIMD4<Float> {
            let (column, row) = (Int(x.rounded(.down)) - self.x, Int(y.rounded(.down)) - self.y)
            guard column >= 0, column < size.width, row >= 0, row < size.height else { return .zero }
            return colors[row * size.width + column]
        }
    }

    /// How a page moves.
    package enum Motion {
        /// A turn by an angle of less than a quarter around the centre line; a positive one brings the right side, or
        /// the lower one, towards the eye.
        case flip(isAroundVertical: Bool, angle: Double)
        /// Around a cylinder that touches the page at `fold`, a distance from the first corner in a direction.
        case curl(x: Double, y: Double, fold: Double, radius: Double)
        case zoom(Double)
    }

    private let size: PointSize
    private let motion: Motion
    private let page: Picture?
    private let ground: Picture?

    /// - Parameters:
    ///   - size: The view's, in device pixels.
    ///   - page: The picture on the page; nil for none.
    ///   - ground: The picture behind it; nil for none.
    package init(_ motion: Motion, size: PointSize, page: Picture?, ground: Picture?) {
        self.motion = motion
        self.size = size
        self.page = page
        self.ground = ground
    }

    /// The colours of all pixels of the view, row by row; `count` × `count` points of each.
    package func paint(count: Int = 8) -> [SIMD4<Float>] {
        let (width, height) = (Int(size.width.rounded(.up)), Int(size.height.rounded(.up)))
        return (0..<width * height).map { index in
            var sum = SIMD4<Float>.zero
            for sample in 0..<count * count {
                let x = Double(index % width) + (Double(sample % count) + 0.5) / Double(count)
                let y = Double(index / width) + (Double(sample / count) + 0.5) / Double(count)
                sum += color(atX: x, y: y)
            }
            return sum / Float(count * count)
        }
    }

    private func color(atX x: Double, y: Double) -> SIMD4<Float> {
        switch motion {
        case .flip(let isAroundVertical, let angle): flipped(x, y, isAroundVertical, angle)
        case .curl(let directionX, let directionY, let fold, let radius):
            Sheet(x: directionX, y: directionY, fold: fold, radius: radius, size: size, page: page, ground: ground)
                .color(atX: x, y: y)
        case .zoom(let factor): zoomed(x, y, factor)
        }
    }

    private func isOnPage(_ x: Double, _ y: Double) -> Bool { x >= 0 && x < size.width && y >= 0 && y < size.height }

    private func zoomed(_ x: Double, _ y: Double, _ factor: Double) -> SIMD4<Float> {
        let (u, v) = (size.width / 2 + (x - size.width / 2) / factor, size.height / 2 + (y - size.height / 2) / factor)
        return isOnPage(u, v) ? page?.color(atX: u, y: v) ?? .zero : ground?.color(atX: x, y: y) ?? .zero
    }

    /// The ray from the eye through a point of the view meets the page.
    private func flipped(_ x: Double, _ y: Double, _ isAroundVertical: Bool, _ angle: Double) -> SIMD4<Float> {
        let (length, breadth) = isAroundVertical ? (size.width, size.height) : (size.height, size.width)
        let along = (isAroundVertical ? x : y) - length / 2
        let across = (isAroundVertical ? y : x) - breadth / 2
        // The page moves back until no part of it is before the view.
        let (eye, back) = (2 * max(size.width, size.height), length / 2 * abs(sin(angle)))
        let position = along * (eye + back) / (eye * cos(angle) + along * sin(angle))
        let depth = back - position * sin(angle)
        let v = across * (eye + depth) / eye + breadth / 2
        let u = position + length / 2
        guard let page, isAroundVertical ? isOnPage(u, v) : isOnPage(v, u) else { return .zero }
        let light = page.isShaded ? 1 - 0.2 * abs(sin(angle)) - 0.3 * depth / length : 1
        return page.color(atX: isAroundVertical ? u : v, y: isAroundVertical ? v : u).lit(light)
    }
}

/// A page that rolls up.
private struct Sheet {
    let x: Double
    let y: Double
    let fold: Double
    let radius: Double
    let size: PointSize
    let page: PageReference.Picture?
    let ground: PageReference.Picture?

    func color(atX x: Double, y: Double) -> SIMD4<Float> {
        let place = place(x, y)
        guard place < fold + radius else { return color(ofGroundAtX: x, y: y, place) }
        let sine = max(0, (place - fold) / radius)
        // Around the cylinder, half a turn leads from the fold on the front to that on the back.
        let front = place < fold ? place : fold + radius * asin(sine)
        let back = 2 * fold + .pi * radius - front
        let dark = 0.35 * (1 - (1 - sine * sine).squareRoot())
        if let color = color(ofPageAtX: x, y: y, back - place) {
            guard page?.isShaded == true else { return color * 0.4 }
            let white = SIMD4<Float>(1, 1, 1, 0) * color.w
            return (color * SIMD4(0.4, 0.4, 0.4, 1) + white * 0.6).lit(1 - dark)
        }
        guard let color = color(ofPageAtX: x, y: y, front - place) else {
            return color(ofGroundAtX: x, y: y, place)
        }
        return page?.isShaded == true ? color.lit((1 - 0.4 * sine) * (1 - shadowOnFront(x, y, place))) : color
    }

    private func place(_ x: Double, _ y: Double) -> Double { (x - (self.x < 0 ? size.width : 0)) * self.x + y * self.y }

    /// The colour of the page a way from a point; nil beside the page.
    private func color(ofPageAtX x: Double, y: Double, _ way: Double) -> SIMD4<Float>? {
        let (u, v) = (x + way * self.x, y + way * self.y)
        guard u >= 0, u < size.width, v >= 0, v < size.height else { return nil }
        return page?.color(atX: u, y: v) ?? .zero
    }

    private func color(ofGroundAtX x: Double, y: Double, _ place: Double) -> SIMD4<Float> {
        guard let ground else { return .zero }
        let nearness = 1 - (place - fold - radius) / radius
        let lift = ends(x, y, place).map { share(($0 - fold) / radius) }.reduce(1, *)
        return ground.color(atX: x, y: y).lit(ground.isShaded ? 1 - 0.35 * share(nearness) * lift : 1)
    }

    private func shadowOnFront(_ x: Double, _ y: Double, _ place: Double) -> Double {
        ends(x, y, place).reduce(0.35) { darkness, end in
            let gap = 2 * fold + .pi * radius - end - place
            return darkness * share((end - fold) / radius - .pi) * share(1 - gap / radius)
        }
    }

    /// The last positions on the page from a point on, as if it ended at one of its sides only.
    private func ends(_ x: Double, _ y: Double, _ place: Double) -> [Double] {
        let lower = place + (size.height - y) / self.y
        if self.x == 0 { return [lower] }
        return [lower, place + ((self.x < 0 ? 0 : size.width) - x) / self.x]
    }

    private func share(_ value: Double) -> Double { min(1, max(0, value)) }
}

extension SIMD4<Float> {
    fileprivate func lit(_ light: Double) -> SIMD4<Float> { self * SIMD4(Float(light), Float(light), Float(light), 1) }
}
