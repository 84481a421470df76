import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// A view of a toolkit of one's own.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct PicturePresenterTests {
    private let bench = ToolkitBench()
    private let view = ToolkitView()
    private static let square = SurfacePlacement(size: PointSize(width: 8, height: 8), decodesToSize: false)

    @Test("a view that only draws gets the placeholder, the status and the progress, then the picture")
    func road() async throws {
        let presenter = bench.presenter(of: view)
        let load = try bench.load(by: presenter, placeholder: .plain(1, 1))
        #expect(view.story == ["placeholder 1x1", "at 0.0", "is loading"])
        #expect(presenter.isLoading && presenter.currentImageURL?.lastPathComponent == "a.jpg")
        view.story = []
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(view.story.suffix(3) == ["no progress", "is loaded", "final 4x4"])
        #expect(presenter.image?.pixelSize == .square(4))
    }

    @Test("a picture in memory is shown before the call returns, without its placeholder")
    func memory() async throws {
        let presenter = bench.presenter(of: view)
        try await bench.load(by: presenter, sending: ScriptedCoder.file(4, 4))
        view.story = []
        try bench.load(by: presenter, placeholder: .plain(1, 1))
        #expect(view.story == ["immediate 4x4"])
    }

    @Test("a failed load leaves the placeholder, or shows the error picture of the view")
    func failure() async throws {
        let presenter = bench.presenter(of: view)
        for errorImage in [nil, try Image.plain(2, 2)] {
            presenter.errorImage = errorImage
            let load = try bench.load(by: presenter, placeholder: .plain(1, 1))
            try await bench.manager.transfer(bench.started.count).fail(.scriptedFailure)
            #expect(await load.outcome().failure?.code == .transferFailed)
            #expect(presenter.status == .failed)
            #expect(view.drawn.last == (errorImage == nil ? "placeholder 1x1" : "placeholder 2x2"))
        }
    }

    @Test("a cancelled load calls back before the call returns, and leaves the placeholder")
    func cancellation() async throws {
        let presenter = bench.presenter(of: view)
        let load = try bench.load(by: presenter, placeholder: .plain(1, 1))
        presenter.cancelCurrentImageLoad()
        #expect(load.failureCode == .cancelled)
        #expect(view.drawn == ["placeholder 1x1"])
    }

    @Test("a text that is no address ends at once with an error")
    func noAddress() throws {
        let presenter = bench.presenter(of: view)
        let recorder = LoadRecorder()
        presenter.setImage(with: "no address", completed: { recorder.completed($0) })
        #expect(recorder.failureCode == .invalidURL)
    }

    @Test("loads do not retain the view, and end with its presenter")
    func lifetime() async throws {
        weak var gone: ToolkitView?
        var recorder: LoadRecorder?
        do {
            let view = ToolkitView()
            let presenter = bench.presenter(of: view)
            recorder = try bench.load(by: presenter)
            _ = try await bench.manager.transfer()
            gone = view
            withExtendedLifetime(presenter) {}
        }
        #expect(gone == nil)
        #expect(recorder?.failureCode == .cancelled)
    }

    // MARK: - Sizes

    @Test("a load waits for the size of the view, and its picture is decoded for that and again for a larger one")
    func sizes() async throws {
        view.placement = SurfacePlacement(size: PointSize(width: 0, height: 0))
        let presenter = bench.presenter(of: view)
        let load = try bench.load(by: presenter)
        #expect(bench.started.isEmpty && presenter.isLoading)
        view.placement?.size = PointSize(width: 50, height: 50)
        view.placement?.scaleFactor = 2
        presenter.layoutHasChanged()
        try await bench.manager.transfer().finish(ScriptedCoder.file(1000, 1000))
        _ = await load.outcome()
        #expect(presenter.image?.pixelSize == (try decodeSize))
        #expect(view.content.picture?.frame == PointRect(x: 0, y: 0, width: 50, height: 50))
        view.placement?.size = PointSize(width: 400, height: 400)
        presenter.layoutHasChanged()
        try await view.wait(for: "completed \(decodeSize.width)x\(decodeSize.height)")
    }

    /// That of the view's placement.
    private var decodeSize: PixelSize {
        get throws {
            let placement = try #require(view.placement)
            return try #require(DecodeBox(viewSize: placement.size, scaleFactor: 2, fit: .contain)).size
        }
    }

    // MARK: - Transitions

    @Test("the frames of a transition are values; its closures get the view, and its end is the picture at rest")
    func transition() async throws {
        view.placement = Self.square
        let presenter = bench.presenter(of: view)
        var transition = WebImageTransition<ToolkitView>.fade(duration: .seconds(1))
        transition.timingFunction = .linear
        transition.prepares = { view, _, _, _, _ in view.story.append("prepares") }
        transition.animations = { view, _ in view.story.append("animates") }
        transition.completion = { [view] isFinished in view.story.append("ended \(isFinished)") }
        presenter.imageTransition = transition
        presenter.image = try .plain(2, 2)
        view.story = []
        let load = try bench.load("a.jpg", .delayPlaceholder, by: presenter)
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(view.drawn == ["prepares", "animates", "2x2 to 4x4 at 0.0"])
        bench.clock.jump(by: .milliseconds(500))
        bench.clock.advance(by: .zero)
        #expect(view.drawn.last == "2x2 to 4x4 at 0.5")
        guard case .transition(let frame) = view.content else { throw TestFailure(text: "no transition") }
        #expect(frame.layers == [TransitionLayer(.crossDissolve(0.5), source: frame.scene.bounds)])
        #expect(frame.scene.newFrame == PointRect(x: 0, y: 0, width: 8, height: 8))
        bench.clock.advance(by: .seconds(1))
        #expect(view.drawn.suffix(2) == ["final 4x4", "ended true"])
        #expect(bench.clock.pendingCount == 0)
    }

    @Test("a transition that another one interrupts goes on from the pixels of the view")
    func interruption() async throws {
        view.placement = Self.square
        let presenter = bench.presenter(of: view)
        presenter.imageTransition = .fade(duration: .seconds(1))
        try await bench.load("a.jpg", by: presenter, sending: ScriptedCoder.file(4, 4))
        view.pixels = try Image.plain(8, 8).bitmap
        let load = try bench.load("b.jpg", .delayPlaceholder, by: presenter)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(6, 6))
        _ = await load.outcome()
        #expect(view.drawn.last == "8x8 to 6x6 at 0.0")
    }

    @Test("a transition ends at once in an unseen view, and there is none in a view without a placement")
    func noTransition() async throws {
        view.placement = Self.square
        let presenter = bench.presenter(of: view)
        presenter.imageTransition = .fade
        try await bench.load("a.jpg", by: presenter, sending: ScriptedCoder.file(4, 4))
        presenter.isSeen = false
        #expect(view.drawn.last == "final 4x4")
        try await bench.load("b.jpg", by: presenter, sending: ScriptedCoder.file(5, 5))
        presenter.isSeen = true
        view.placement = nil
        try await bench.load("c.jpg", by: presenter, sending: ScriptedCoder.file(6, 6))
        #expect(view.drawn.suffix(2) == ["nothing", "final 6x6"])
        #expect(bench.clock.pendingCount == 0)
    }

    @Test("a picture that replaces the cached one of its load fades in, where the view is set to that")
    func blurToSharp() async throws {
        view.placement = Self.square
        let presenter = bench.presenter(of: view)
        try await bench.load(by: presenter, sending: ScriptedCoder.file(4, 4))
        presenter.progressiveDisplay = .blurToSharp(duration: .seconds(1))
        let load = try bench.load("a.jpg", [.refreshCached, .delayPlaceholder], by: presenter)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(6, 6))
        _ = await load.outcome()
        #expect(view.drawn.last == "4x4 to 6x6 at 0.0")
        bench.clock.advance(by: .seconds(2))
        #expect(view.drawn.last == "completed 6x6")
    }

    // MARK: - Unseen views

    @Test("an unseen view may release its picture, which is there again once it is seen")
    func release() async throws {
        let presenter = bench.presenter(of: view)
        try await bench.load(by: presenter, sending: ScriptedCoder.file(4, 4))
        presenter.releasePicture()
        #expect(view.drawn.last == "final 4x4")
        presenter.isSeen = false
        presenter.releasePicture()
        #expect(view.drawn.last == "nothing" && presenter.image?.pixelSize == .square(4))
        presenter.isSeen = true
        #expect(view.drawn.last == "completed 4x4")
    }
}
