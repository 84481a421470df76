import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The view of a fictitious toolkit: records what it is to draw. Pictures are identified by their size.
@MainActor
final class ToolkitView: PictureSurface {
    let name: String
    var placement: SurfacePlacement?
    var frameInScroller: PointRect?
    var pixels: Bitmap?
    /// All calls, in order.
    var story: [String] {
        get { told.value }
        set { told.update { $0 = newValue } }
    }
    private let told = Observed([String]())
    private(set) var content = SurfaceContent.nothing

    init(_ name: String = "", placement: SurfacePlacement? = nil, frame: PointRect? = nil) {
        self.name = name
        self.placement = placement
        frameInScroller = frame
    }

    func show(_ content: SurfaceContent) {
        self.content = content
        story.append(Self.word(for: content))
    }

    func show(_ status: ViewLoadStatus) { story.append("is \(status)") }

    func show(progress: Double?) { story.append(progress.map { "at \($0)" } ?? "no progress") }

    func snapshot() -> Bitmap? { pixels }

    /// Waits until the last call was this one.
    func wait(for word: String) async throws { _ = try await told.wait { $0.last == word } }

    /// The calls that draw.
    var drawn: [String] { story.filter { !$0.hasPrefix("is ") && !$0.hasPrefix("at ") && $0 != "no progress" } }

    private static func word(for content: SurfaceContent) -> String {
        switch content {
        case .nothing: "nothing"
        case .picture(let picture): "\(picture.role) \(size(of: picture))"
        case .transition(let frame):
            "\(frame.old.map(size) ?? "nothing") to \(frame.new.map(size) ?? "nothing") at \(frame.progress)"
        }
    }

    private static func size(of picture: SurfacePicture) -> String {
        "\(picture.bitmap.size.width)x\(picture.bitmap.size.height)"
    }
}

/// Views with a manager whose cache, loader and coder the test controls, and a clock that it sets.
@MainActor
struct ToolkitBench {
    let manager: ManagerBench
    let clock = ManualAnimationClock()

    init(coder: any ImageCoder = ScriptedCoder()) { manager = ManagerBench(coder: coder) }

    func presenter(of view: ToolkitView, in scroller: ScrollerLoads? = nil) -> PicturePresenter<ToolkitView> {
        PicturePresenter(for: view, in: scroller, clock: clock)
    }

    /// A load of `http://host/name`.
    @discardableResult
    func load(
        _ name: String = "a.jpg", _ options: WebImageOptions = [], by presenter: PicturePresenter<ToolkitView>,
        placeholder: Image? = nil, configure: (inout WebImageContext) -> Void = { _ in }
    ) throws -> LoadRecorder {
        let recorder = LoadRecorder()
        var context = WebImageContext()
        context.manager = manager.manager
        configure(&context)
        presenter.setImage(
            with: try ManagerBench.url(name), placeholder: placeholder, options: options, context: context,
            completed: { recorder.completed($0) })
        return recorder
    }

    /// The same, to its end; the next started transfer gets `data`.
    func load(
        _ name: String = "a.jpg", by presenter: PicturePresenter<ToolkitView>, sending data: Data
    ) async throws {
        let next = manager.loader.loads.count + 1
        let recorder = try load(name, by: presenter)
        try await manager.transfer(next).finish(data)
        _ = await recorder.outcome()
    }

    /// The last parts of the URLs whose transfers have started, in order.
    var started: [String] { manager.loader.loads.map { $0.request.url.lastPathComponent } }
}
