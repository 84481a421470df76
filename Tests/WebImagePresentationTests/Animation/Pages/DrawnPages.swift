import Foundation
import WebImageCore
import WebImageTestSupport

@testable import WebImagePresentation

/// Two pictures in a view, and the pages that an effect makes of them: as drawn, and as expected.
struct DrawnPages {
    let scene: TransitionScene
    private let old: PageContent?
    private let new: PageContent?
    private let pixels: PixelSize

    /// - Parameters:
    ///   - alpha: 1 for opaque pictures.
    ///   - margin: On the left and the right of the new picture, in device pixels.
    init(_ size: PixelSize, scale: Double = 1, alpha: Double = 1, margin: Int = 0, hasOld: Bool = true) {
        pixels = size
        let width = max(1, size.width - 2 * margin)
        old = hasOld ? PageContent(x: 0, size: size, seed: 0, alpha: alpha) : nil
        new = PageContent(x: margin, size: PixelSize(width: width, height: size.height), seed: 1, alpha: alpha)
        let points = PointSize(width: Double(size.width) / scale, height: Double(size.height) / scale)
        scene = TransitionScene(
            size: points, scale: scale, oldFrame: hasOld ? PointRect(x: 0, y: 0, size: points) : nil,
            newFrame: PointRect(
                x: Double(margin) / scale, y: 0, width: Double(width) / scale, height: points.height),
            isOldOpaque: alpha == 1, isNewOpaque: alpha == 1)
    }

    /// The page of an effect; nil where it has none.
    func page(_ effect: TransitionEffect, at progress: Double) -> MovingPage? {
        let layers = effect.layers(at: progress, in: scene)
        if layers.count == 1, case .page(let page) = layers[0].content { return page }
        return nil
    }

    /// The pixels of the view; `parts` of them are drawn on their own.
    func drawn(_ page: MovingPage, parts: Int = 1) -> [SIMD4<Float>] {
        // Other than 0, since a buffer has the pixels of an earlier frame.
        var bytes = [UInt8](repeating: 77, count: pixels.area * 4)
        let isTransposed = page.needsTransposed
        with(picture(page.content), isTransposed) { (front: PagePicture?) in
            with(page.background.flatMap { picture($0) }, false) { (ground: PagePicture?) in
                let renderer = PageRenderer(page, scale: scene.scale, front: front, ground: ground)
                bytes.withUnsafeMutableBytes { buffer in
                    guard let base = buffer.baseAddress else { return }
                    for part in 0..<parts {
                        let rows = pixels.height * part / parts..<pixels.height * (part + 1) / parts
                        renderer.draw(
                            x: 0..<pixels.width, y: rows, into: base + rows.lowerBound * pixels.width * 4,
                            bytesPerRow: pixels.width * 4)
                    }
                }
            }
        }
        return bytes.colors
    }

    /// The pixels as computed literally.
    func expected(_ page: MovingPage, count: Int = 8) -> [SIMD4<Float>] {
        let size = PointSize(width: Double(pixels.width), height: Double(pixels.height))
        return PageReference(
            page.scaled(by: scene.scale).motion, size: size, page: picture(page.content)?.reference,
            ground: page.background.flatMap { picture($0) }?.reference
        ).paint(count: count)
    }

    private func picture(_ content: TransitionLayer.Content) -> PageContent? { content == .new ? new : old }

    private func with(_ picture: PageContent?, _ isTransposed: Bool, _ body: (PagePicture?) -> Void) {
        guard let picture else { return body(nil) }
        let bytes = isTransposed ? picture.transposed : picture.bytes
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            body(
                PagePicture(
                    base, bytesPerRow: (isTransposed ? picture.size.height : picture.size.width) * 4, x: picture.x,
                    y: 0,
                    size: picture.size, isShaded: picture.isOpaque, isTransposed: isTransposed))
        }
    }
}

/// Waves of colour with sharp lines and letters.
private struct PageContent {
    let x: Int
    let size: PixelSize
    let bytes: [UInt8]
    let isOpaque: Bool

    init(x: Int, size: PixelSize, seed: Int, alpha: Double) {
        self.x = x
        self.size = size
        isOpaque = alpha == 1
        bytes = (0..<size.area).flatMap { index in
            Self.color(index % size.width, index / size.width, Double(seed), alpha)
        }
    }

    private static func color(_ x: Int, _ y: Int, _ seed: Double, _ alpha: Double) -> [UInt8] {
        func wave(_ value: Double) -> Double { 127.5 + 110 * sin(value / 9 + 2 * seed) }
        let isInk: Bool = (x / 3 + y / 5) % 7 == 0 && (x / 16 + y / 16) % 2 == 0
        let ink = isInk ? 0.6 : 1
        let channels: [Double] = [wave(Double(x + y / 3)), wave(Double(2 * y - x)), wave(Double(x + y)), 255 / ink]
        return channels.map { (channel: Double) -> UInt8 in UInt8((channel * ink * alpha).rounded()) }
    }

    var transposed: [UInt8] {
        var result = bytes
        bytes.withUnsafeBufferPointer { pixels in
            result.withUnsafeMutableBufferPointer { columns in
                guard let pixels = pixels.baseAddress, let columns = columns.baseAddress else { return }
                PagePicture.transpose(pixels, bytesPerRow: size.width * 4, size: size, into: columns)
            }
        }
        return result
    }

    var reference: PageReference.Picture {
        PageReference.Picture(x: x, y: 0, size: size, colors: bytes.colors, isShaded: isOpaque)
    }
}

extension [UInt8] {
    fileprivate var colors: [SIMD4<Float>] {
        (0..<count / 4).map { pixel -> SIMD4<Float> in
            var color = SIMD4<Float>.zero
            for channel in 0..<4 { color[channel] = Float(self[4 * pixel + channel]) }
            return color
        }
    }
}

extension [SIMD4<Float>] {
    /// The similarity to other pixels in decibels: at 34 they are hard to distinguish, at 50 only roundings differ.
    func signalToNoise(_ other: [SIMD4<Float>]) -> Double {
        var sum = 0.0
        for (first, second) in zip(self, other) {
            let difference = first - second
            sum += Double((difference * difference).sum())
        }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 / (sum / Double(4 * count)))
    }
}

extension MovingPage {
    /// The motion that the reference computes.
    fileprivate var motion: PageReference.Motion {
        switch shape {
        case .flip(let flip): .flip(isAroundVertical: flip.axis == .horizontal, angle: atan2(flip.sine, flip.cosine))
        case .curl(let curl):
            .curl(x: curl.direction.x, y: curl.direction.y, fold: curl.fold, radius: curl.radius)
        case .zoom(let zoom): .zoom(zoom.factor)
        }
    }
}
