import Testing
import WebImageCore

@testable import WebImageServer
@testable import WebImageTestDoubles

@Suite("Result geometry")
struct ResultGeometryTests {
    private static func geometry(_ text: String, _ source: PixelSize) throws -> ResultGeometry {
        let options = try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options
        return ResultGeometry(options, of: source)
    }

    @Test(
        "the result's size by the options, of a picture of 400 by 200",
        arguments: [
            ("cb:1", 400, 200), ("rs:fit:100:100", 100, 50), ("w:100", 100, 50), ("h:100", 200, 100),
            ("rs:fill:100:100", 100, 100), ("rs:force:100:100", 100, 100), ("rs:force:100", 100, 200),
            // Landscape both, then upright.
            ("rs:auto:100:40", 100, 40), ("rs:auto:40:100", 40, 20),
            // Nothing grows, unless it is asked for.
            ("rs:fit:800:800", 400, 200), ("rs:fit:800:800:1", 800, 400), ("rs:fill:800:100", 400, 100),
            ("rs:fill:800:100:1", 800, 100), ("rs:fill:300:300", 300, 200), ("rs:fill:800:800", 400, 200),
            // The aspect ratio stays.
            ("rs:fill-down:800:800", 200, 200), ("rs:fill-down:800:200", 400, 100), ("rs:fill-down:100:100", 100, 100),
            ("w:100/dpr:2", 200, 100), ("w:300/dpr:2", 400, 200), ("w:300/dpr:2/el:1", 600, 300),
            ("w:100/z:2", 200, 100), ("w:100/z:2:1", 200, 50), ("z:0.5", 200, 100), ("z:2", 400, 200),
            // The least sides, cut to the size.
            ("w:100/mw:200", 100, 100), ("mw:800", 800, 400), ("w:100/mh:100", 100, 100),
            // Extended.
            ("rs:fit:100:100:0:1", 100, 100), ("rs:fit:800:800/ex:1", 800, 800), ("rs:fit:100:100/exar:1", 100, 100),
            ("rs:fit:800:800/exar:1", 400, 400), ("w:100/exar:1", 100, 50),
            // Cut out before.
            ("c:100:100", 100, 100), ("c:0.5:0", 200, 200), ("c:1000:1000", 400, 200), ("c:100:100/w:50", 50, 50),
            ("w:100/pd:10:20", 140, 70), ("w:100/pd:10:20/dpr:2", 280, 140), ("w:1", 1, 1), ("c:0.0001:1/w:1000", 1, 1),
        ])
    func sizes(text: String, width: Int, height: Int) throws {
        let options = try ServiceAddress("/_/\(text)/plain/a", grammar: OptionGrammar()).options
        let size = PixelSize(width: 400, height: 200)
        let result = ResultGeometry(options, of: size).resultSize(options.padding)
        #expect(result == PixelSize(width: width, height: height))
    }

    @Test(
        "the place of a part by its gravity, in an area of 400 by 200",
        arguments: [
            ("ce", 150, 75), ("no", 150, 0), ("so", 150, 150), ("we", 0, 75), ("ea", 300, 75), ("nowe", 0, 0),
            ("soea", 300, 150), ("nowe:10:20", 10, 20), ("soea:10:20", 290, 130), ("ce:10:-20", 160, 55),
            ("no:0:0.1", 150, 20), ("ce:1000:1000", 300, 150), ("fp:0:0", 0, 0), ("fp:0.5:0.5", 150, 75),
            ("fp:0.9:0.1", 300, 0), ("fp:0.4:0.4", 110, 55), ("sm", 150, 75),
        ])
    func places(name: String, x: Int, y: Int) throws {
        let gravity = try ServiceAddress("/_/g:\(name)/plain/a", grammar: OptionGrammar()).options.gravity
        let corner = gravity.corner(
            of: PixelSize(width: 100, height: 50), in: PixelSize(width: 400, height: 200), scale: 1)
        #expect(corner == (x, y), "\(corner)")
    }

    @Test("no size of any source and options is empty or outside of what it is cut from")
    func random() throws {
        var random = SplitMix(state: 7)
        for _ in 0..<20_000 {
            var options = ProcessingOptions()
            options.resizingType = [.fit, .fill, .fillDown, .force, .auto].randomElement(using: &random) ?? .fit
            options.width = Int.random(in: 0...3, using: &random) * Int.random(in: 1...3000, using: &random)
            options.height = Int.random(in: 0...3, using: &random) * Int.random(in: 1...3000, using: &random)
            options.minimumWidth = Int.random(in: 0...1, using: &random) * Int.random(in: 1...500, using: &random)
            options.dpr = Double.random(in: 0.1...4, using: &random)
            options.zoomX = Double.random(in: 0.1...4, using: &random)
            options.enlarges = .random(using: &random)
            options.extent = .random(using: &random) ? .center : nil
            let source = PixelSize(
                width: .random(in: 1...5000, using: &random), height: .random(in: 1...5000, using: &random))
            let geometry = ResultGeometry(options, of: source)
            #expect(!geometry.scaled.isEmpty && !geometry.cut.isEmpty && geometry.scale > 0)
            #expect(geometry.cut.width <= geometry.scaled.width && geometry.cut.height <= geometry.scaled.height)
            if !options.enlarges, options.minimumWidth == 0 {
                #expect(geometry.scaled.width <= source.width && geometry.scaled.height <= source.height)
            }
        }
    }
}
