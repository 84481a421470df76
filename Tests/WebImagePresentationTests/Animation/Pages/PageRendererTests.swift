import Foundation
import Testing
import WebImageCore

@testable import WebImagePresentation

/// Pages in space, against points of the exact projection.
@Suite("Pages in space", .timeLimit(.minutes(5)))
struct PageRendererTests {
    static let effects: [TransitionEffect] = [
        .flipFromLeft, .flipFromRight, .flipFromTop, .flipFromBottom, .curlUp, .curlDown, .zoom, .curlUp(angle: 0),
        .curlUp(angle: -0.7), .curlDown(angle: 1),
    ]
    static let progresses = [0.04, 0.2, 0.35, 0.499, 0.62, 0.83, 0.97]

    @Test("TRN-6 TRN-7 a page looks like its exact projection, and its edges are smooth", arguments: effects)
    func exact(effect: TransitionEffect) throws {
        let pages = DrawnPages(PixelSize(width: 160, height: 120))
        for progress in Self.progresses {
            let page = try #require(pages.page(effect, at: progress))
            let ratio = pages.drawn(page).signalToNoise(pages.expected(page))
            #expect(ratio >= 40, "at \(progress)")
        }
    }

    @Test("pages of odd sizes, and of translucent and smaller pictures, are as exact", arguments: effects)
    func others(effect: TransitionEffect) {
        for pages in [
            DrawnPages(PixelSize(width: 97, height: 61), alpha: 0.6),
            DrawnPages(PixelSize(width: 64, height: 131), scale: 2, margin: 13),
            DrawnPages(PixelSize(width: 90, height: 60), margin: 7, hasOld: false),
        ] {
            for progress in [0.15, 0.45, 0.7] {
                // A view that was empty has no page until the new one turns up.
                guard let page = pages.page(effect, at: progress) else { continue }
                let ratio = pages.drawn(page).signalToNoise(pages.expected(page))
                #expect(ratio >= 40, "\(pages.scene.size) at \(progress)")
            }
        }
    }

    @Test("a page of one pixel covers as much of it as its projection", arguments: effects.filter { !$0.isCurl })
    func onePixel(effect: TransitionEffect) throws {
        let pages = DrawnPages(PixelSize(width: 1, height: 1))
        for progress in Self.progresses {
            let page = try #require(pages.page(effect, at: progress))
            #expect(pages.drawn(page).signalToNoise(pages.expected(page, count: 128)) >= 40, "at \(progress)")
        }
    }

    @Test("pages of a few pixels are drawn within their memory", arguments: effects)
    func tiny(effect: TransitionEffect) {
        for size in [(1, 1), (1, 7), (7, 1), (2, 2), (3, 1), (1, 400), (400, 1)] {
            let pages = DrawnPages(PixelSize(width: size.0, height: size.1))
            for progress in [-0.3, 1e-12, 0.01, 0.3, 0.5, 0.51, 0.9, 0.999_999, 1.2, 1e9] {
                guard let page = pages.page(effect, at: progress) else { continue }
                for color in pages.drawn(page) { #expect(color.max() <= color.w + 1, "\(size) at \(progress)") }
            }
        }
    }

    @Test("a part of a page is the same whether it is drawn alone or with the rest", arguments: effects)
    func parts(effect: TransitionEffect) throws {
        let pages = DrawnPages(PixelSize(width: 60, height: 50))
        for progress in [0.2, 0.6] {
            let page = try #require(pages.page(effect, at: progress))
            #expect(pages.drawn(page, parts: 7).signalToNoise(pages.drawn(page)) >= 60, "at \(progress)")
        }
    }

    @Test("at its ends a page shows its content unchanged", arguments: effects)
    func ends(effect: TransitionEffect) throws {
        let pages = DrawnPages(PixelSize(width: 80, height: 60))
        for progress in [1e-9, 1 - 1e-9] {
            guard let page = pages.page(effect, at: progress) else { continue }
            #expect(pages.drawn(page).signalToNoise(pages.expected(page)) >= 48, "at \(progress)")
        }
    }

    /// The third frame of `webimage transition --effect flipFromLeft` for a picture of 768 × 512.
    @Test(
        "the edge of a page is a straight line, to a small part of a pixel", arguments: [1.0 / 15, 0.1, 0.2, 0.3, 0.8])
    func edge(progress: Double) throws {
        let pages = DrawnPages(PixelSize(width: 768, height: 512))
        let page = try #require(pages.page(.flipFromLeft, at: progress))
        guard case .flip(let flip) = page.shape else { return }
        let drawn = pages.drawn(page)
        for column in 0..<768 {
            let place = Double(column) + 0.5 - 384
            let position = flip.position(seenAt: place)
            guard abs(position) < flip.reach - 3 else { continue }
            let shown = (0..<256).reduce(0) { $0 + Double(drawn[$1 * 768 + column].w) / 255 }
            let exact = 256 * flip.magnification(at: position)
            #expect(abs(shown - exact) < 0.1, "column \(column)")
        }
    }

    @Test("light and shadow come and go without a jump", arguments: [0, TransitionEffect.curlAngle])
    func smoothLight(angle: Double) throws {
        let pages = DrawnPages(PixelSize(width: 40, height: 96))
        // At the top, where the page is flat until the loose end arrives; and below, when the page has left.
        for (index, range) in [(6 * 40 + 3, 0.0..<0.35), (92 * 40 + 30, 0.55..<1)] {
            var last: Float?
            for progress in stride(from: range.lowerBound + 0.001, to: range.upperBound, by: 0.002) {
                let page = try #require(pages.page(.curlUp(angle: angle), at: progress))
                let now = pages.drawn(page)[index].x
                if let last { #expect(abs(now - last) <= 8, "at \(progress)") }
                last = now
            }
        }
    }
}

extension TransitionEffect {
    /// A cylinder that is thinner than a pixel has no shape to compare.
    fileprivate var isCurl: Bool { name.hasPrefix("curl") }
}
