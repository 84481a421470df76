import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Blend modes")
struct BlendModeTests {
    @Test(
        "TRF-6 A73 each mode equals its definition, over opaque and translucent pixels, at every depth",
        arguments: BlendMode.allCases, PictureKind.allCases)
    func exact(mode: BlendMode, kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 120, height: 5))
        for color in [
            RGBAColor(red: 200, green: 90, blue: 20, alpha: 130), RGBAColor(red: 0, green: 128, blue: 255),
            RGBAColor(red: 255, green: 255, blue: 0, alpha: 1),
        ] {
            let source = color.premultipliedFloats.map(Double.init)
            let exact = PixelReference(picture).mapPixels { blended(source, over: $0, mode) }
            let result = try picture.tinted(with: color, mode: mode)
            #expect(exact.distance(from: result) <= kind.tolerance, "\(color)")
            if result.isOpaque {
                #expect(
                    result.format.depth == .sixteen
                        || result.bytes.indices.allSatisfy { $0 % 4 < 3 || result.bytes[$0] == 255 })
            }
        }
    }

    @Test(
        "IMG-3 an overlay lies at its place, is cut off at the edges, and blends by its opacity",
        arguments: PictureKind.allCases)
    func overlay(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 60, height: 40))
        let logo = try PictureKind.translucent.picture(PixelSize(width: 20, height: 10), seed: 77)
        for (x, y) in [(5, 7), (-8, -3), (50, 35), (100, 0), (Int.max, Int.min), (Int.min, Int.max)] {
            let result = try picture.overlaid(with: logo, x: x, y: y, opacity: 0.6, mode: .normal)
            var exact = PixelReference(picture)
            let above = PixelReference(logo)
            for row in 0..<40 {
                for column in 0..<60 {
                    let place = (column.subtractingReportingOverflow(x), row.subtractingReportingOverflow(y))
                    guard !place.0.overflow, !place.1.overflow, 0..<20 ~= place.0.partialValue,
                        0..<10 ~= place.1.partialValue
                    else { continue }
                    let source = above[place.0.partialValue, place.1.partialValue].map { $0 * 0.6 }
                    exact[column, row] = blended(source, over: exact[column, row], .normal)
                }
            }
            #expect(exact.distance(from: result) <= kind.tolerance)
            #expect(result.isOpaque == picture.isOpaque)
        }
    }

    @Test("an overlay is placed by its anchor in points, and its key knows its pixels")
    func placement() throws {
        let picture = Image(bitmap: try TestPicture.plain(PixelSize(width: 20, height: 10), [0, 0, 0, 255]), scale: 2)
        let dot = Image(bitmap: try TestPicture.plain(PixelSize(width: 2, height: 2), [255, 0, 0, 255]))
        let placement = OverlayPlacement(anchor: UnitPoint(x: 1, y: 1), offset: PointSize(width: -1, height: -2))
        let result = try #require(picture.overlaid(with: dot, at: placement)).bitmap
        #expect(result.pixel(16, 4) == [255, 0, 0, 255] && result.pixel(17, 5) == [255, 0, 0, 255])
        #expect(result.pixel(15, 4) == [0, 0, 0, 255] && result.pixel(18, 5) == [0, 0, 0, 255])
        #expect(try #require(picture.overlaid(with: dot)).bitmap.pixel(9, 4) == [255, 0, 0, 255])
        let other = Image(bitmap: try TestPicture.plain(PixelSize(width: 2, height: 2), [254, 0, 0, 255]))
        let keys = [dot, other].map {
            ImageOverlayTransformer($0, at: .topLeft, opacity: 0.5, mode: .normal).transformerKey
        }
        #expect(keys[0] != keys[1])
        #expect(picture.overlaid(with: dot, at: OverlayPlacement(anchor: UnitPoint(x: .nan, y: 0))) == nil)
        #expect(picture.overlaid(with: dot, opacity: .infinity) == nil)
    }

    @Test("TRF-6 A73 by default a tint makes a template, and a transparent colour gives the picture itself")
    func templates() throws {
        let image = Image(bitmap: try PictureKind.translucent.picture(PixelSize(width: 30, height: 20)))
        let result = try #require(image.tinted(with: .black)).bitmap
        let alphas = stride(from: 3, to: result.byteCount, by: 4)
        #expect(alphas.allSatisfy { result.bytes[$0] == image.bitmap.bytes[$0] })
        #expect(alphas.allSatisfy { result.bytes[$0 - 3] == 0 })
        #expect(image.tinted(with: .clear) === image)
        #expect(
            ImageTintTransformer(color: .clear, mode: .sourceIn).transformerKey
                == "SDImageTintTransformer(#00000000,18)")
    }
}

/// W3C, Compositing and Blending Level 1: premultiplied source over premultiplied destination.
private func blended(_ source: [Double], over under: [Double], _ mode: BlendMode) -> [Double] {
    let (sa, da) = (source[3], under[3])
    let straight = { (pixel: [Double]) in pixel[3] > 0 ? pixel[..<3].map { $0 / pixel[3] } : [0, 0, 0] }
    let (s, d) = (straight(source), straight(under))
    if let mix = separable(mode) {
        let colors = (0..<3).map { sa * (1 - da) * s[$0] + sa * da * mix(s[$0], d[$0]) + (1 - sa) * da * d[$0] }
        return colors + [sa + da - sa * da]
    }
    let (a, b): (Double, Double) =
        switch mode {
        case .clear: (0, 0)
        case .copy: (1, 0)
        case .destination: (0, 1)
        case .sourceIn: (da, 0)
        case .sourceOut: (1 - da, 0)
        case .sourceAtop: (da, 1 - sa)
        case .destinationOver: (1 - da, 1)
        case .destinationIn: (0, sa)
        case .destinationOut: (0, 1 - sa)
        case .destinationAtop: (1 - da, sa)
        case .xor: (1 - da, 1 - sa)
        default: (1, 1)
        }
    return (0..<4).map { min(1, source[$0] * a + under[$0] * b) }
}

private func separable(_ mode: BlendMode) -> ((_ s: Double, _ d: Double) -> Double)? {
    let hardLight = { (s: Double, d: Double) in s <= 0.5 ? d * 2 * s : d + (2 * s - 1) - d * (2 * s - 1) }
    switch mode {
    case .normal: return { s, _ in s }
    case .multiply: return { $0 * $1 }
    case .screen: return { $0 + $1 - $0 * $1 }
    case .overlay: return { hardLight($1, $0) }
    case .darken: return { min($0, $1) }
    case .lighten: return { max($0, $1) }
    case .colorDodge: return { s, d in d == 0 ? 0 : s >= 1 ? 1 : min(1, d / (1 - s)) }
    case .colorBurn: return { s, d in d >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - d) / s) }
    case .hardLight: return hardLight
    case .softLight:
        return { s, d in
            let root = d <= 0.25 ? ((16 * d - 12) * d + 4) * d : d.squareRoot()
            return s <= 0.5 ? d - (1 - 2 * s) * d * (1 - d) : d + (2 * s - 1) * (root - d)
        }
    case .difference: return { abs($0 - $1) }
    case .exclusion: return { $0 + $1 - 2 * $0 * $1 }
    default: return nil
    }
}
