import WebImageCore
import WebImagePresentation

/// The widget of a fictitious toolkit: records its calls, and ends transitions when the test says so. Its views are
/// names; pictures are identified by their size.
@MainActor
final class ScriptedSurface: PresentationSurface {
    /// All calls, in order; tests add the calls of their closures.
    var story: [String] = []
    /// Whether the widget is invisible, so that transitions end at once.
    var isHidden = false
    private var pictures: [String: Image] = [:]
    private var running: [TransitionSteps] = []
    /// When loads begin: at once, unless the test holds them.
    let admission = ScriptedAdmission()

    func image(in view: String) -> Image? { pictures[view] }

    func show(_ image: Image?, as role: PictureRole, in view: String) {
        pictures[view] = image
        story.append("\(view) shows \(role) \(Self.name(of: image))")
    }

    func transition(
        _ transition: WebImageTransition<String>, to image: Image, in view: String, steps: TransitionSteps
    ) {
        story.append("\(view) begins its transition")
        steps.set()
        steps.animate()
        if isHidden { steps.ended(true) } else { running.append(steps) }
    }

    /// Ends the oldest transition.
    func endTransition(finished: Bool = true) {
        guard !running.isEmpty else { return }
        running.removeFirst().ended(finished)
    }

    func settle(_ view: String) {}

    func setStatus(_ status: ViewLoadStatus) { story.append("is \(status)") }

    func startIndicator() { story.append("indicator starts") }

    func stopIndicator() { story.append("indicator stops") }

    func updateIndicator(_ progress: Double) { story.append("indicator at \(progress)") }

    /// `3x2` for a picture of that size.
    static func name(of image: Image?) -> String {
        image.map { "\($0.pixelSize.width)x\($0.pixelSize.height)" } ?? "nothing"
    }
}
