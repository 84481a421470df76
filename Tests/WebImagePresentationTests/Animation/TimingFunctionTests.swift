import Testing
import WebImagePresentation
import WebImageTesting

@Suite struct TimingFunctionTests {
    private static let standard: [TimingFunction] = [.linear, .easeIn, .easeOut, .easeInEaseOut, .default]

    @Test("TRN-5 S1-8 a curve starts at 0 and ends at 1, and times outside count as the ends", arguments: standard)
    func ends(curve: TimingFunction) {
        #expect(curve.value(at: 0) == 0)
        #expect(curve.value(at: 1) == 1)
        #expect(curve.value(at: -3) == 0)
        #expect(curve.value(at: 7) == 1)
    }

    @Test("the standard curves never run backwards", arguments: standard)
    func monotonic(curve: TimingFunction) {
        let values = (0...1000).map { curve.value(at: Double($0) / 1000) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
    }

    @Test("S0-18 ease-in-ease-out is the cubic curve (0.42, 0, 0.58, 1)")
    func easeInEaseOut() {
        #expect(TimingFunction.easeInEaseOut == TimingFunction(x1: 0.42, y1: 0, x2: 0.58, y2: 1))
        // Reference values: WebKit's UnitBezier, solved to 1e-9.
        expect(.easeInEaseOut, at: 0.25, is: 0.129161)
        expect(.easeInEaseOut, at: 0.5, is: 0.5)
        expect(.easeInEaseOut, at: 0.75, is: 0.870839)
    }

    @Test("the other standard curves have the values that browsers give them")
    func references() {
        expect(.linear, at: 0.3, is: 0.3)
        expect(.easeIn, at: 0.5, is: 0.315357)
        expect(.easeOut, at: 0.5, is: 0.684643)
        expect(.default, at: 0.5, is: 0.802403)
    }

    @Test("a point of the curve is found from its time, whatever the control points")
    func parametricPoints() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let (x1, x2) = (Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random))
            let (y1, y2) = (Double.random(in: -1...2, using: &random), Double.random(in: -1...2, using: &random))
            let curve = TimingFunction(x1: x1, y1: y1, x2: x2, y2: y2)
            let t = Double.random(in: 0.05...0.95, using: &random)
            let u = 1 - t
            let x = 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t
            let y = 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t
            #expect(abs(curve.value(at: x) - y) < 1e-3, "\(curve) at \(x)")
        }
    }

    @Test("a vertical tangent does not throw Newton's method off")
    func steep() {
        let curve = TimingFunction(x1: 1, y1: 0, x2: 0, y2: 1)
        expect(curve, at: 0.5, is: 0.5)
        #expect(curve.value(at: 0.49) < 0.5)
        #expect(curve.value(at: 0.51) > 0.5)
    }

    @Test("control points whose time lies outside 0 to 1 are moved to the edge")
    func clamped() {
        let curve = TimingFunction(x1: -1, y1: 0.5, x2: 3, y2: 0.5)
        #expect(curve == TimingFunction(x1: 0, y1: 0.5, x2: 1, y2: 0.5))
        #expect(curve == .cubicBezier(0, 0.5, 1, 0.5))
    }

    @Test(
        "a control point of NaN or infinity still leads from 0 to 1 by finite numbers",
        arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308])
    func hostile(value: Double) {
        for hole in 0..<4 {
            let numbers = [0.42, 0, 0.58, 1].enumerated().map { $0.offset == hole ? value : $0.element }
            let curve = TimingFunction(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
            let values = (0...100).map { curve.value(at: Double($0) / 100) }
            #expect(values.first == 0 && values.last == 1)
            #expect(values.allSatisfy { abs($0) <= 100 })
        }
        #expect(TimingFunction(x1: .nan, y1: .nan, x2: .nan, y2: .nan) == .linear)
    }

    private func expect(
        _ curve: TimingFunction, at time: Double, is expected: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(abs(curve.value(at: time) - expected) < 1e-5, sourceLocation: sourceLocation)
    }
}
