import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets that closures of their own loads destroy, on the screen and under both renderers.
final class DestroyedInCallbackTests: GTKTestCase, @unchecked Sendable {
    /// S0-23: the load ends once, and nothing of the widget remains.
    func testWhateverIsCalledMayDestroyTheWidget() throws {
        try onMainThread {
            try requireDisplay()
            for renderer in ScreenRenderer.allCases {
                for moment in Moment.allCases {
                    try renderer.draws { try check(moment, "\(moment) by \(renderer)") }
                }
            }
        }
    }

    @MainActor
    private func check(_ moment: Moment, _ what: String) throws {
        let live = LiveObjects()
        let load = DoomedLoad(moment)
        live.watch(UnsafeMutableRawPointer(load.stage.widgets[0]))
        weak let coordinator = Coordinator.of(load.stage.widgets[0])
        load.stage.show()
        iterate(until: { load.stage.isOnScreen }, "the window")
        load.begin()
        iterate(
            until: {
                load.goOn()
                return load.isOver
            }, "the end of the widget in \(what)")
        iterateWhatIsReady()
        XCTAssertEqual(load.endings, 1, what)
        XCTAssertNil(coordinator, what)
        XCTAssertEqual(live.count, 0, what)
        XCTAssertFalse(load.test.manager.isRunning, what)
        XCTAssertEqual(GTKLog.takeComplaints(), [], what)
    }
}

/// The moment when the widget is destroyed.
private enum Moment: CaseIterable {
    case placeholder, picture
    case prepares, animations, firstFrame, lastFrame, transitionCompletion
    case completion, cancellation, replacement, refusal, failure
    case indicatorStarts, indicatorMoves, indicatorStops

    /// Whether the app shows the pictures itself.
    var isShownByApp: Bool { self == .placeholder || self == .picture }
}

/// One load that destroys its widget at its moment.
@MainActor
private final class DoomedLoad {
    let stage = Stage()
    let test = TestStage()
    private(set) var endings = 0
    private(set) var isOver = false
    private let moment: Moment

    init(_ moment: Moment) { self.moment = moment }

    func begin() {
        stage.view.imageTransition = transition
        stage.view.imageIndicator = DoomedIndicator { [weak self] in self?.reach($0) }
        let ended: PictureView.Completion = { [weak self] in self?.end($0) }
        if moment.isShownByApp {
            stage.view.setImage(
                with: test.url("a"), context: test.context,
                setImage: { [weak self] image, _, _, _ in self?.reach(image == nil ? .placeholder : .picture) },
                completed: ended)
        } else {
            let url = moment == .refusal ? nil : test.url("a")
            stage.view.setImage(with: url, options: .waitTransition, context: test.context, completed: ended)
        }
        guard !isOver else { return }
        if moment == .cancellation { stage.view.cancelCurrentImageLoad() }
        if moment == .replacement { stage.view.setImage(with: test.url("b"), context: test.context) }
    }

    /// Bytes arrive, and then the picture; the transition's clock advances.
    func goOn() {
        stage.time += 100_000
        guard let load = test.pending.first else { return }
        if moment == .indicatorMoves { return load.progress(2, of: 4) }
        load.finish(moment == .failure ? Data() : Colour.blue.file)
    }

    private var transition: WidgetTransition {
        var transition = WidgetTransition.flipFromLeft(duration: .seconds(0.5))
        transition.prepares = { [weak self] _, _, _, _, _ in self?.reach(.prepares) }
        transition.animations = { [weak self] _, _ in
            self?.reach(.animations)
            TransitionContext.current?.onFrame { self?.reach($0 < 1 ? .firstFrame : .lastFrame) }
        }
        transition.completion = { [weak self] _ in self?.reach(.transitionCompletion) }
        return transition
    }

    private func end(_ result: Result<LoadResult, WebImageError>) {
        endings += 1
        switch result.code {
        case nil: reach(.completion)
        case .cancelled: reach(moment == .replacement ? .replacement : .cancellation)
        case .invalidURL: reach(.refusal)
        default: reach(.failure)
        }
    }

    private func reach(_ reached: Moment) {
        guard reached == moment, !isOver else { return }
        isOver = true
        stage.close()
    }
}

/// Records its calls.
@MainActor
private final class DoomedIndicator: WebImageIndicator {
    private let widget = IndicatorWidget(gtk_label_new("…"))
    private let reach: (Moment) -> Void

    init(_ reach: @escaping (Moment) -> Void) { self.reach = reach }

    var indicatorView: UnsafeMutablePointer<GtkWidget> { widget.pointer }

    func startAnimating() { reach(.indicatorStarts) }

    func stopAnimating() { reach(.indicatorStops) }

    func updateProgress(_ progress: Double) { reach(.indicatorMoves) }
}
