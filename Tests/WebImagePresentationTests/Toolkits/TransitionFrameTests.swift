import Testing
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImagePresentation

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The pages of a transition's frame as pixels, for toolkits that draw bitmaps.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct TransitionFrameTests {
    private let bench = ToolkitBench()
    private static let red = RGBAColor(red: 255, green: 0, blue: 0)
    private static let blue = RGBAColor(red: 0, green: 0, blue: 255)

    private static func plain(_ color: RGBAColor) throws -> Image {
        let pixel: [UInt8] = [color.red, color.green, color.blue, 255]
        let pixels = [[UInt8]](repeating: pixel, count: 64)
        return Image(bitmap: try Bitmap(size: .square(8), pixels: pixels.flatMap(\.self)))
    }

    /// The page of a frame from red to blue, in a view of 40 points and 80 pixels.
    private func page(of transition: WebImageTransition<ToolkitView>, at progress: Double) throws -> Image {
        let view = ToolkitView(
            placement: SurfacePlacement(size: PointSize(width: 40, height: 40), scaleFactor: 2, decodesToSize: false))
        let presenter = bench.presenter(of: view)
        presenter.image = try Self.plain(Self.red)
        var transition = transition
        transition.timingFunction = .linear
        bench.manager.cache.storeInMemory(try Self.plain(Self.blue), for: ManagerBench.key())
        var context = WebImageContext()
        context.manager = bench.manager.manager
        presenter.setImage(
            with: try ManagerBench.url(), transition: transition, options: [.forceTransition, .delayPlaceholder],
            context: context)
        bench.clock.jump(by: .seconds(progress))
        bench.clock.advance(by: .zero)
        guard case .transition(let frame) = view.content, case .page(let page) = frame.layers.last?.content else {
            throw TestFailure(text: "there is no page: \(view.drawn)")
        }
        return Image(bitmap: try frame.bitmap(of: page))
    }

    @Test("a page that rolls up shows the former picture on it, and the new one behind it, in device pixels")
    func curl() throws {
        let image = try page(of: .curlUp(duration: .seconds(1)), at: 0.5)
        #expect(image.pixelSize == .square(80))
        #expect(image.color(x: 1, y: 1) == Self.red)
        #expect(image.color(x: 78, y: 78)?.blue ?? 0 > 100)
        #expect(image.color(x: 78, y: 78)?.red == 0)
    }

    @Test("a page that turns around either axis is drawn over nothing", arguments: [true, false])
    func flip(isVertical: Bool) throws {
        let image = try page(
            of: isVertical ? .flipFromLeft(duration: .seconds(1)) : .flipFromTop(duration: .seconds(1)), at: 0.25)
        #expect(image.color(x: 40, y: 40)?.red ?? 0 > 100)
        #expect(image.color(x: 40, y: 40)?.blue == 0)
        let edge = isVertical ? image.color(x: 0, y: 40) : image.color(x: 40, y: 0)
        #expect(edge?.alpha == 0)
    }
}
