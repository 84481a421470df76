import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The calls of a view's transition, and their times.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewTransitionTests {
    private let bench = ViewBench()

    @Test(
        "S1-1 S1-5 S4-7 TRN-1 TRN-2 TRN-3 TRN-4 prepares, then the picture, then the animations; at the end the completion"
    )
    func steps() async throws {
        bench.view.transition = transition()
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        #expect(
            bench.story().suffix(6) == [
                "is loaded", "image prepares for 4x4, a file, no cache, a.jpg", "image begins its transition",
                "image shows final 4x4", "image animates 4x4", "a.jpg brought 4x4 from no cache",
            ])
        bench.surface.endTransition()
        #expect(bench.story() == ["transition finished: true"])
    }

    @Test("TRN-1 S1-6 with the transition's avoidAutoSetImage the animations set the picture")
    func avoidAutoSetImage() async throws {
        var transition = transition()
        transition.avoidAutoSetImage = true
        bench.view.transition = transition
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        #expect(!bench.surface.story.contains("image shows final 4x4"))
        #expect(bench.surface.story.contains("image animates 4x4"))
    }

    @Test("S1-10 an empty transition still shows the picture")
    func empty() async throws {
        bench.view.transition = WebImageTransition()
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        bench.surface.endTransition()
        #expect(bench.surface.story.suffix(2) == ["image shows final 4x4", "a.jpg brought 4x4 from no cache"])
    }

    @Test("TRN-1 VIEW-2 an app's own closure sets the picture within the transition")
    func setImage() async throws {
        bench.view.transition = transition()
        let load = try bench.load(change: { $0.setImage = bench.setter("app") })
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(
            bench.story().suffix(4) == [
                "image begins its transition", "app sets 4x4, a file, no cache, a.jpg", "image animates 4x4",
                "a.jpg brought 4x4 from no cache",
            ])
    }

    @Test("OPT-25 with waitTransition and no transition, the completion follows the app's own closure at once")
    func setImageWithoutTransition() async throws {
        let load = try bench.load("a.jpg", .waitTransition, change: { $0.setImage = bench.setter("app") })
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(
            bench.story().suffix(2) == ["app sets 4x4, a file, no cache, a.jpg", "a.jpg brought 4x4 from no cache"])
    }

    @Test("OPT-17 TRN-8 S4-8 a picture from memory gets no transition, unless it is forced")
    func memory() async throws {
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        bench.view.transition = transition()
        for (options, isAnimated) in [([], false), (.forceTransition, true)] as [(WebImageOptions, Bool)] {
            _ = bench.story()
            try bench.load("a.jpg", options)
            #expect(bench.story().contains("image begins its transition") == isAnimated)
        }
    }

    @Test("TRN-8 A91 a picture from the disk gets it, but not one that was read at once")
    func disk() async throws {
        bench.view.transition = transition()
        for (options, isAnimated) in [([], true), (.queryDiskDataSync, false)] as [(WebImageOptions, Bool)] {
            bench.manager.cache.clear(.all, completion: nil)
            bench.manager.cache.put(ScriptedCoder.file(4, 4), for: ManagerBench.key())
            _ = bench.story()
            _ = await (try bench.load("a.jpg", options)).outcome()
            #expect(bench.story().contains("image begins its transition") == isAnimated)
        }
    }

    @Test("TRN-10 with waitTransition the load's completion follows the transition's")
    func waits() async throws {
        bench.view.transition = transition()
        let load = try await begin(.waitTransition)
        #expect(load.outcomes.isEmpty)
        bench.surface.endTransition(finished: false)
        #expect(bench.story().suffix(2) == ["transition finished: false", "a.jpg brought 4x4 from no cache"])
    }

    @Test(
        "OPT-25 B47 with waitTransition the completion is called for an invisible transition, and without a transition")
    func invisible() async throws {
        bench.surface.isHidden = true
        for transition in [transition(), nil] {
            bench.view.transition = transition
            bench.manager.cache.clear(.all, completion: nil)
            let result = try await bench.load("a.jpg", .waitTransition, sending: ScriptedCoder.file(4, 4))
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test("TRN-9 A11 B42 T4.7 cancelled during its transition, or replaced, a load calls no closure of it any more")
    func overtaken() async throws {
        bench.view.transition = transition()
        for key in ["image", "avatar"] as [ViewLoadKey] {
            _ = try await begin()
            _ = bench.story()
            if key != .image { bench.view.cancel(.image) }
            let next = try bench.load("b.jpg", configure: { $0.operationKey = key.name })
            bench.surface.endTransition()
            #expect(!bench.story().contains { $0.hasPrefix("transition finished") })
            let transfers = bench.manager.loader.loads
            transfers[transfers.count - 1].finish(ScriptedCoder.file(2, 2))
            _ = await next.outcome()
            #expect(bench.story().contains("image shows final 2x2"))
            bench.surface.endTransition()
            bench.manager.cache.clear(.all, completion: nil)
        }
    }

    @Test("TRN-9 a load that begins in prepares leaves nothing else of the transition")
    func overtakenInPrepares() async throws {
        var transition = transition()
        transition.prepares = { [bench] _, _, _, _, url in
            if url?.lastPathComponent == "a.jpg" { _ = try? bench.load("b.jpg") }
        }
        bench.view.transition = transition
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        #expect(!bench.surface.story.contains { $0.contains("4x4") && $0.hasPrefix("image") })
    }

    @Test("B47 TRN-9 a load that waits for its transition ends once when it is cancelled, and its closures are silent")
    func cancelledWhileWaiting() async throws {
        bench.view.transition = transition()
        let load = try await begin(.waitTransition)
        bench.view.cancel(.image)
        #expect(load.failureCode == .cancelled)
        bench.surface.endTransition()
        #expect(load.outcomes.count == 1)
        #expect(!bench.surface.story.contains { $0.hasPrefix("transition finished") })
    }

    /// A load with a transition that has begun.
    private func begin(_ options: WebImageOptions = []) async throws -> LoadRecorder {
        let begun = Observed(false)
        let transition = bench.view.transition
        bench.view.transition?.animations = { view, image in
            transition?.animations?(view, image)
            begun.update { $0 = true }
        }
        let next = bench.manager.loader.loads.count + 1
        let load = try bench.load("a.jpg", options)
        try await bench.manager.transfer(next).finish(ScriptedCoder.file(4, 4))
        try await begun.wait { $0 }
        bench.view.transition = transition
        return load
    }

    /// A transition that records all its calls.
    private func transition() -> WebImageTransition<String> {
        var transition = WebImageTransition<String>()
        let surface = bench.surface
        transition.prepares = { view, image, data, cacheType, url in
            let file = data == nil ? "no file" : "a file"
            let name = ScriptedSurface.name(of: image)
            surface.story.append(
                "\(view) prepares for \(name), \(file), \(cacheType), \(url?.lastPathComponent ?? "-")")
        }
        transition.animations = { view, image in
            surface.story.append("\(view) animates \(ScriptedSurface.name(of: image))")
        }
        transition.completion = { surface.story.append("transition finished: \($0)") }
        return transition
    }
}
