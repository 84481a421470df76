import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation

@Suite struct ViewLoadStateTests {
    private let first = URL(string: "http://host/1.jpg")
    private let second = URL(string: "http://host/2.jpg")

    @Test("VIEW-1 the placeholder comes before the load, which may be answered at once")
    func begin() {
        var state = ViewLoadState()
        let load = state.begin(.init(first))
        #expect(load.actions == [.showPlaceholder(load.generation), .updateStatus, .load(load.generation)])
        #expect(state.isCurrent(load.generation))
        #expect(state.isLoading(.image))
    }

    @Test("OPT-8 S0-11 VIEW-3 with delayPlaceholder nothing is shown until the load ends")
    func delayedPlaceholder() {
        var state = ViewLoadState()
        let load = state.begin(.init(first, options: .delayPlaceholder))
        #expect(load.actions == [.updateStatus, .load(load.generation)])
        let ending = state.finish(load.generation, with: .failure)
        #expect(ending == [.updateStatus, .showPlaceholder(load.generation), .complete(load.generation)])
        // A placeholder that the view has shown all the time is replaced by the picture alone.
        let good = state.begin(.init(first, options: .delayPlaceholder)).generation
        #expect(state.finish(good, with: .image(.noCache)) == [.updateStatus, .showImage(good), .complete(good)])
    }

    @Test("S3-21 keys by the name of each picture are dropped, except the latest and the running ones")
    func manyKeys() {
        var state = ViewLoadState()
        let running = state.begin(.init(first, key: "running", place: "other")).generation
        var generations: [ViewLoadState.Generation] = []
        for number in 0..<100 {
            let load = state.begin(.init(second, key: ViewLoadKey("\(number)"), place: .image)).generation
            _ = state.finish(load, with: .image(.noCache))
            generations.append(load)
        }
        #expect(state.url(for: "0") == nil)
        #expect(state.url(for: "99") == second)
        #expect(state.isCurrent(generations[99]) && !generations.dropLast().contains { state.isCurrent($0) })
        #expect(state.url(for: "running") == first && state.isLoading("running") && state.isCurrent(running))
        #expect((0..<100).count { state.url(for: ViewLoadKey("\($0)")) != nil } <= 16)
    }

    /// The rows of the table: options, how the load ends, what is shown.
    private static let decisions: [(WebImageOptions, ViewLoadState.Ending, shows: Bool)] = [
        ([], .image(.noCache), true),
        ([], .failure, false),
        (.delayPlaceholder, .image(.noCache), true),
        (.delayPlaceholder, .failure, true),
        (.avoidAutoSetImage, .image(.noCache), false),
        (.avoidAutoSetImage, .failure, false),
        ([.avoidAutoSetImage, .delayPlaceholder], .image(.noCache), false),
        ([.avoidAutoSetImage, .delayPlaceholder], .failure, true),
    ]

    @Test(
        "VIEW-4 S3-29 the end of a load sets the picture or the placeholder, and then calls the completion",
        arguments: decisions)
    func decisionTable(options: WebImageOptions, ending: ViewLoadState.Ending, shows: Bool) {
        var state = ViewLoadState()
        let load = state.begin(.init(first, options: options)).generation
        let shown: ViewLoadState.Action = ending == .failure ? .showPlaceholder(load) : .showImage(load)
        let expected: [ViewLoadState.Action] =
            shows ? [.updateStatus, shown, .complete(load)] : [.updateStatus, .complete(load)]
        #expect(state.finish(load, with: ending) == expected)
        #expect(!state.isLoading(.image))
    }

    @Test("S3-24 S3-22 a new load cancels the one before it under the same key, first of all")
    func rebind() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        let new = state.begin(.init(second))
        #expect(new.actions == [.cancel(old), .showPlaceholder(new.generation), .load(new.generation)])
        #expect(!state.isCurrent(old))
        #expect(state.url(for: .image) == second)
    }

    @Test("B42 S3-23 no event of an older load is shown")
    func stale() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        let new = state.begin(.init(second)).generation
        #expect(state.finish(old, with: .image(.noCache)) == [])
        #expect(state.finish(new, with: .image(.noCache)) == [.updateStatus, .showImage(new), .complete(new)])
    }

    @Test("a load that has ended is not cancelled by the next one, and ends only once")
    func endsOnce() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        _ = state.finish(old, with: .image(.noCache))
        #expect(state.finish(old, with: .failure) == [])
        let new = state.begin(.init(second))
        #expect(new.actions == [.showPlaceholder(new.generation), .updateStatus, .load(new.generation)])
    }

    @Test("S3-21 loads under different keys do not disturb each other")
    func keys() {
        var state = ViewLoadState()
        let picture = state.begin(.init(first)).generation
        let badge = state.begin(.init(second, key: "badge"))
        #expect(badge.actions == [.showPlaceholder(badge.generation), .load(badge.generation)])
        #expect(state.latestKey == "badge")
        #expect(state.isCurrent(picture))
        #expect(state.cancel("badge") == [.cancel(badge.generation)])
        #expect(
            state.finish(picture, with: .image(.noCache)) == [.updateStatus, .showImage(picture), .complete(picture)])
        #expect(state.url(for: .image) == first)
        #expect(state.url(for: "badge") == second)
    }

    @Test("VIEW-7 without a URL the placeholder is shown, nothing is loaded, and the completion is called")
    func noURL() {
        var state = ViewLoadState()
        let load = state.begin(.init(nil))
        #expect(load.actions == [.showPlaceholder(load.generation), .refuse(load.generation)])
        #expect(state.url(for: .image) == nil)
        #expect(!state.isLoading(.image))
    }

    @Test("without a URL a delayed placeholder is shown, so that no stale picture stays")
    func noURLDelayed() {
        var state = ViewLoadState()
        let load = state.begin(.init(nil, options: .delayPlaceholder))
        #expect(load.actions == [.showPlaceholder(load.generation), .refuse(load.generation)])
    }

    @Test("without a URL the load before it is cancelled all the same")
    func noURLCancels() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        #expect(state.begin(.init(nil)).actions.first == .cancel(old))
    }

    @Test("cancelling leaves the shown picture, and shows a delayed placeholder")
    func cancel() {
        var state = ViewLoadState()
        let plain = state.begin(.init(first)).generation
        #expect(state.cancel(.image) == [.updateStatus, .cancel(plain)])
        #expect(state.cancel(.image) == [])
        let delayed = state.begin(.init(first, options: .delayPlaceholder)).generation
        #expect(state.cancel(.image) == [.updateStatus, .showPlaceholder(delayed), .cancel(delayed)])
    }

    @Test("OPT-24 A94 with avoidAutoCancelImage the load before continues, and its events are not shown")
    func avoidAutoCancelImage() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        let (new, actions) = state.begin(.init(second, options: .avoidAutoCancelImage))
        #expect(actions == [.showPlaceholder(new), .load(new)])
        #expect(state.finish(old, with: .image(.noCache)) == [.complete(old)])
        #expect(state.finish(new, with: .image(.noCache)) == [.updateStatus, .showImage(new), .complete(new)])
    }

    @Test(
        "S0-13 OPT-2 OPT-10 partial and cached pictures are shown while their load is the view's, unless the app shows them"
    )
    func updates() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        #expect(state.showsUpdate(of: old))
        let new = state.begin(.init(second, options: .avoidAutoSetImage)).generation
        #expect(!state.showsUpdate(of: old))
        #expect(!state.showsUpdate(of: new))
        let last = state.begin(.init(first)).generation
        _ = state.finish(last, with: .image(.noCache))
        #expect(!state.showsUpdate(of: last))
    }

    @Test("a load that was stopped for another one is not cancelled again by it")
    func stop() {
        var state = ViewLoadState()
        let old = state.begin(.init(first, options: .delayPlaceholder)).generation
        #expect(state.stop(.image) == [.cancel(old)])
        let new = state.begin(.init(second))
        #expect(new.actions == [.showPlaceholder(new.generation), .load(new.generation)])
    }

    @Test("S3-23 B42 a place shows its latest bind, whatever the keys of its loads; both continue to their ends")
    func keysOfOnePlace() {
        var state = ViewLoadState()
        let old = state.begin(.init(first, key: "avatar", place: .image)).generation
        let new = state.begin(.init(second, key: .image, place: .image))
        #expect(new.actions == [.showPlaceholder(new.generation), .load(new.generation)])
        #expect(!state.isCurrent(old))
        #expect(!state.showsUpdate(of: old))
        #expect(state.finish(old, with: .image(.noCache)) == [.complete(old)])
        let shown = state.finish(new.generation, with: .image(.noCache))
        #expect(shown == [.updateStatus, .showImage(new.generation), .complete(new.generation)])
    }

    @Test("S0-7 OPT-4 the end of the view lets background loads continue")
    func endInBackground() {
        var state = ViewLoadState()
        let picture = state.begin(.init(first, options: .continueInBackground)).generation
        let badge = state.begin(.init(second, key: "badge")).generation
        #expect(state.end() == [.leave(picture), .cancel(badge)])
        #expect(!state.isCurrent(picture))
        #expect(state.begin(.init(first, options: .continueInBackground)).actions == [.cancel(badge + 1)])
    }

    @Test("S0-7 OPT-4 a load that only waits for its transition does not continue when the view ends")
    func endInTransition() {
        var state = ViewLoadState()
        let load = state.begin(.init(first, options: [.continueInBackground, .waitTransition])).generation
        _ = state.finish(load, with: .image(.noCache), hasTransition: true)
        #expect(state.end() == [.cancel(load)])
    }

    @Test("the end of the view cancels all its loads and shows nothing more")
    func end() {
        var state = ViewLoadState()
        let picture = state.begin(.init(first)).generation
        let badge = state.begin(.init(second, key: "badge")).generation
        #expect(state.end() == [.cancel(picture), .cancel(badge)])
        #expect(!state.isCurrent(picture))
        let late = state.begin(.init(first))
        #expect(late.actions == [.cancel(late.generation)])
    }
}
