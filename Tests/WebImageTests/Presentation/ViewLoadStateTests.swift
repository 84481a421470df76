import FoundationEssentials
import Testing

@testable import WebImage

@Suite struct ViewLoadStateTests {
    private let first = URL(string: "http://host/1.jpg")
    private let second = URL(string: "http://host/2.jpg")

    @Test("VIEW-1 the placeholder comes before the load, which may be answered at once")
    func begin() {
        var state = ViewLoadState()
        let load = state.begin(first)
        #expect(load.actions == [.showPlaceholder(load.generation), .load(load.generation)])
        #expect(state.isCurrent(load.generation))
        #expect(state.isLoading(.image))
    }

    @Test("OPT-8 S0-11 VIEW-3 with delayPlaceholder nothing is shown until the load ends")
    func delayedPlaceholder() {
        var state = ViewLoadState()
        let load = state.begin(first, options: .delayPlaceholder)
        #expect(load.actions == [.load(load.generation)])
    }

    /// The rows of the table: options, how the load ends, what is shown.
    private static let decisions: [(WebImageOptions, ViewLoadState.Ending, shows: Bool)] = [
        ([], .image, true),
        ([], .failure, false),
        (.delayPlaceholder, .image, true),
        (.delayPlaceholder, .failure, true),
        (.avoidAutoSetImage, .image, false),
        (.avoidAutoSetImage, .failure, false),
        ([.avoidAutoSetImage, .delayPlaceholder], .image, false),
        ([.avoidAutoSetImage, .delayPlaceholder], .failure, true),
    ]

    @Test("VIEW-4 S3-29 what is set when a load ends, and that the completion follows", arguments: decisions)
    func decisionTable(options: WebImageOptions, ending: ViewLoadState.Ending, shows: Bool) {
        var state = ViewLoadState()
        let load = state.begin(first, options: options).generation
        let shown: ViewLoadState.Action = ending == .image ? .showImage(load) : .showPlaceholder(load)
        #expect(state.finish(load, with: ending) == (shows ? [shown, .complete(load)] : [.complete(load)]))
        #expect(!state.isLoading(.image))
    }

    @Test("S3-24 S3-22 a new load cancels the one before it under the same key, first of all")
    func rebind() {
        var state = ViewLoadState()
        let old = state.begin(first).generation
        let new = state.begin(second)
        #expect(new.actions == [.cancel(old), .showPlaceholder(new.generation), .load(new.generation)])
        #expect(!state.isCurrent(old))
        #expect(state.url(for: .image) == second)
    }

    @Test("B42 S3-23 nothing that arrives for an older load is shown")
    func stale() {
        var state = ViewLoadState()
        let old = state.begin(first).generation
        let new = state.begin(second).generation
        #expect(state.finish(old, with: .image) == [])
        #expect(state.finish(new, with: .image) == [.showImage(new), .complete(new)])
    }

    @Test("a load that has ended is not cancelled by the next one, and ends only once")
    func endsOnce() {
        var state = ViewLoadState()
        let old = state.begin(first).generation
        _ = state.finish(old, with: .image)
        #expect(state.finish(old, with: .failure) == [])
        let new = state.begin(second)
        #expect(new.actions == [.showPlaceholder(new.generation), .load(new.generation)])
    }

    @Test("S3-21 loads under different keys do not disturb each other")
    func keys() {
        var state = ViewLoadState()
        let picture = state.begin(first).generation
        let badge = state.begin(second, key: "badge")
        #expect(badge.actions == [.showPlaceholder(badge.generation), .load(badge.generation)])
        #expect(state.latestKey == "badge")
        #expect(state.isCurrent(picture))
        #expect(state.cancel("badge") == [.cancel(badge.generation)])
        #expect(state.finish(picture, with: .image) == [.showImage(picture), .complete(picture)])
        #expect(state.url(for: .image) == first)
        #expect(state.url(for: "badge") == second)
    }

    @Test("VIEW-7 without a URL the placeholder is shown, nothing is loaded, and the completion is told")
    func noURL() {
        var state = ViewLoadState()
        let load = state.begin(nil)
        #expect(load.actions == [.showPlaceholder(load.generation), .refuse(load.generation)])
        #expect(state.url(for: .image) == nil)
        #expect(!state.isLoading(.image))
    }

    @Test("without a URL a placeholder that was kept back is shown, so that no stale picture stays")
    func noURLDelayed() {
        var state = ViewLoadState()
        let load = state.begin(nil, options: .delayPlaceholder)
        #expect(load.actions == [.showPlaceholder(load.generation), .refuse(load.generation)])
    }

    @Test("without a URL the load before it is cancelled all the same")
    func noURLCancels() {
        var state = ViewLoadState()
        let old = state.begin(first).generation
        #expect(state.begin(nil).actions.first == .cancel(old))
    }

    @Test("cancelling leaves what is shown, and shows a placeholder that was kept back")
    func cancel() {
        var state = ViewLoadState()
        let plain = state.begin(first).generation
        #expect(state.cancel(.image) == [.cancel(plain)])
        #expect(state.cancel(.image) == [])
        let delayed = state.begin(first, options: .delayPlaceholder).generation
        #expect(state.cancel(.image) == [.showPlaceholder(delayed), .cancel(delayed)])
    }

    @Test("OPT-24 A94 with avoidAutoCancelImage the load before goes on, and what arrives for it is not shown")
    func avoidAutoCancelImage() {
        var state = ViewLoadState()
        let old = state.begin(first).generation
        let (new, actions) = state.begin(second, options: .avoidAutoCancelImage)
        #expect(actions == [.showPlaceholder(new), .load(new)])
        #expect(state.finish(old, with: .image) == [.complete(old)])
        #expect(state.finish(new, with: .image) == [.showImage(new), .complete(new)])
    }

    @Test(
        "S0-13 OPT-2 OPT-10 partial and cached pictures are shown while their load is the view's, unless the app shows them"
    )
    func updates() {
        var state = ViewLoadState()
        let old = state.begin(first).generation
        #expect(state.showsUpdate(of: old))
        let new = state.begin(second, options: .avoidAutoSetImage).generation
        #expect(!state.showsUpdate(of: old))
        #expect(!state.showsUpdate(of: new))
        let last = state.begin(first).generation
        _ = state.finish(last, with: .image)
        #expect(!state.showsUpdate(of: last))
    }

    @Test("a load that is stopped for another one is not cancelled again by it")
    func stop() {
        var state = ViewLoadState()
        let old = state.begin(first, options: .delayPlaceholder).generation
        #expect(state.stop(.image) == [.cancel(old)])
        let new = state.begin(second)
        #expect(new.actions == [.showPlaceholder(new.generation), .load(new.generation)])
    }

    @Test("the end of the view cancels all its loads and shows nothing more")
    func end() {
        var state = ViewLoadState()
        let picture = state.begin(first).generation
        let badge = state.begin(second, key: "badge").generation
        #expect(state.end() == [.cancel(picture), .cancel(badge)])
        #expect(!state.isCurrent(picture))
        let late = state.begin(first)
        #expect(late.actions == [.cancel(late.generation)])
    }
}
