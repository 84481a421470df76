import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Animations in a view of a toolkit of one's own.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ToolkitPlaybackTests {
    private let bench = ToolkitBench(coder: ScriptedAnimationCoder())
    private let view = ToolkitView()

    private func presenterOfAnimation() async throws -> PicturePresenter<ToolkitView> {
        let presenter = bench.presenter(of: view)
        presenter.playback.isInStep = false
        try await bench.load(by: presenter, sending: ScriptedAnimationCoder.file(4, 4, frames: 3))
        return presenter
    }

    @Test("an animation plays while the view can be seen")
    func visibility() async throws {
        let presenter = try await presenterOfAnimation()
        #expect(presenter.player?.isPlaying == true)
        presenter.isSeen = false
        #expect(presenter.player?.isPlaying == false)
        presenter.isSeen = true
        #expect(presenter.player?.isPlaying == true)
    }

    @Test("an animation stops and starts as the app says, and a still picture ends it")
    func calls() async throws {
        let presenter = try await presenterOfAnimation()
        presenter.stopAnimating()
        #expect(presenter.player?.isPlaying == false)
        presenter.startAnimating()
        #expect(presenter.player?.isPlaying == true)
        presenter.image = try .plain(1, 1)
        #expect(presenter.player == nil)
    }

    @Test("an animation does not play by itself where the settings say so")
    func autoPlay() async throws {
        let presenter = bench.presenter(of: view)
        presenter.playback.isInStep = false
        presenter.playback.autoPlayAnimatedImage = false
        try await bench.load(by: presenter, sending: ScriptedAnimationCoder.file(4, 4, frames: 3))
        #expect(presenter.player?.isPlaying == false)
    }

    @Test("each frame of an animation is content to draw")
    func frames() async throws {
        let presenter = try await presenterOfAnimation()
        let player = try #require(presenter.player)
        let frames = player.updates
        view.story = []
        var indices: [Int] = []
        for await update in frames {
            indices.append(update.frameIndex)
            if update.frameIndex == 2 { break }
            bench.clock.advance(by: .milliseconds(100))
        }
        #expect(indices.last == 2)
        #expect(view.drawn.count >= 2 && Set(view.drawn) == ["final 4x4"])
    }
}
