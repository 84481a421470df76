import Testing
import WebImageCore
import WebImagePresentation

/// The scenes that every effect is tested in.
enum EffectScenes {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scene: TransitionScene
    }

    static let all: [Case] = [
        Case("filled", TransitionScene(size: PointSize(width: 200, height: 160))),
        Case("narrow, two pixels a point", TransitionScene(size: PointSize(width: 37, height: 211), scale: 2)),
        Case("one and a half pixels a point", TransitionScene(size: PointSize(width: 120, height: 90), scale: 1.5)),
        Case("one pixel", TransitionScene(size: PointSize(width: 1, height: 1))),
        Case("a line", TransitionScene(size: PointSize(width: 640, height: 3))),
        Case("large", TransitionScene(size: PointSize(width: 5000, height: 40_000))),
        Case(
            "translucent",
            TransitionScene(size: PointSize(width: 200, height: 160), isOldOpaque: false, isNewOpaque: false)),
        Case(
            "letterboxed",
            TransitionScene(
                size: PointSize(width: 200, height: 160), oldFrame: PointRect(x: 40, y: 0, width: 120, height: 160),
                newFrame: PointRect(x: 0, y: 33.3, width: 200, height: 93.4))),
        Case(
            "hanging over",
            TransitionScene(
                size: PointSize(width: 100, height: 80), oldFrame: PointRect(x: -50, y: 0, width: 200, height: 80),
                newFrame: PointRect(x: 0, y: -20, width: 100, height: 120))),
        Case("nothing before", scene(old: nil, new: PointRect(x: 10, y: 0, width: 80, height: 80))),
        Case("nothing afterwards", scene(old: PointRect(x: 0, y: 10, width: 100, height: 60), new: nil)),
        Case("nothing at all", scene(old: nil, new: nil)),
    ]

    static let progresses: [Double] = [-0.3, -0.01, 0, 1e-9, 0.01, 0.25, 0.4, 0.5, 0.75, 0.99, 1, 1.01, 1.3, 7, -7]

    private static func scene(old: PointRect?, new: PointRect?) -> TransitionScene {
        TransitionScene(size: PointSize(width: 100, height: 80), oldFrame: old, newFrame: new)
    }
}

extension EffectScenes.Case {
    fileprivate init(_ name: String, _ scene: TransitionScene) {
        self.init(testDescription: name, scene: scene)
    }
}

extension TransitionEffect: CustomTestStringConvertible {
    /// The name in a test's output.
    public var testDescription: String { name }

    /// The effects whose pages lie side by side and always fill the view.
    static let filling: [TransitionEffect] = [
        .curlUp, .curlDown, .pushFromLeft, .pushFromRight, .pushFromTop, .pushFromBottom, .revealFromTop,
        .revealFromBottom, .zoom, .crossDissolve,
    ]
}
