import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation

@Suite struct ViewLoadStatusTests {
    private let first = URL(string: "http://host/1.jpg")
    private let second = URL(string: "http://host/2.jpg")

    @Test(
        "a view states the result of its last load",
        arguments: [
            (ViewLoadState.Ending.image(.memory), ViewLoadStatus.loaded), (.failure, .failed), (.cancelled, .idle),
        ])
    func outcome(ending: ViewLoadState.Ending, status: ViewLoadStatus) {
        var state = ViewLoadState()
        #expect(state.status == .idle)
        let load = state.begin(.init(first)).generation
        #expect(state.status == .loading)
        #expect(state.finish(load, with: ending).first == .updateStatus)
        #expect(state.status == status)
    }

    @Test("a view loads until the last of its loads has ended, and its youngest load leads")
    func several() {
        var state = ViewLoadState()
        let picture = state.begin(.init(first)).generation
        let badge = state.begin(.init(second, key: "badge"))
        #expect(!badge.actions.contains(.updateStatus))
        #expect(state.leading == badge.generation)
        #expect(!state.finish(badge.generation, with: .failure).contains(.updateStatus))
        #expect(state.status == .loading)
        #expect(state.leading == picture)
        #expect(state.finish(picture, with: .image(.disk)).first == .updateStatus)
        #expect(state.status == .loaded)
        #expect(state.leading == nil)
    }

    @Test("between a load and the one that replaces it nothing blinks")
    func replaced() {
        var state = ViewLoadState()
        _ = state.begin(.init(first))
        #expect(!state.stop(.image).contains(.updateStatus))
        #expect(!state.begin(.init(second)).actions.contains(.updateStatus))
        #expect(state.status == .loading)
    }

    @Test("VIEW-7 a view whose load has no URL does not load")
    func noURL() {
        var state = ViewLoadState()
        _ = state.begin(.init(first))
        _ = state.stop(.image)
        let load = state.begin(.init(nil))
        #expect(
            load.actions == [.showPlaceholder(load.generation), .updateStatus, .refuse(load.generation)])
        #expect(state.status == .idle)
    }

    @Test("a load that continues behind another one does not decide the view's status")
    func behind() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        let new = state.begin(.init(second, options: .avoidAutoCancelImage)).generation
        _ = state.finish(new, with: .image(.noCache))
        #expect(state.finish(old, with: .failure) == [.updateStatus, .complete(old)])
        #expect(state.status == .loaded)
    }

    @Test("an error picture is shown for a failure, also without a URL, and never for a cancellation")
    func errorImage() {
        var state = ViewLoadState()
        let failing = state.begin(.init(first, hasErrorImage: true)).generation
        #expect(state.finish(failing, with: .failure) == [.updateStatus, .showErrorImage(failing), .complete(failing)])
        let cancelled = state.begin(.init(first, hasErrorImage: true)).generation
        #expect(state.finish(cancelled, with: .cancelled) == [.updateStatus, .complete(cancelled)])
        let delayed = state.begin(.init(first, options: .delayPlaceholder, hasErrorImage: true)).generation
        #expect(state.finish(delayed, with: .failure).contains(.showErrorImage(delayed)))
        let (empty, actions) = state.begin(.init(nil, hasErrorImage: true))
        #expect(actions == [.showPlaceholder(empty), .updateStatus, .showErrorImage(empty), .refuse(empty)])
    }

    @Test("VIEW-10 a load that was removed from its key is not cancelled, and shown until another one begins")
    func release() {
        var state = ViewLoadState()
        let old = state.begin(.init(first)).generation
        #expect(state.cancellable(.image) == old)
        state.release(.image)
        #expect(state.cancellable(.image) == nil)
        #expect(state.cancel(.image) == [])
        #expect(state.showsUpdate(of: old))
        let new = state.begin(.init(second))
        #expect(!new.actions.contains(.cancel(old)))
        #expect(state.finish(old, with: .image(.noCache)) == [.complete(old)])
    }

    @Test("VIEW-9 A93 each key keeps its URL until that is forgotten, and each place the key of its latest load")
    func loadStates() {
        var state = ViewLoadState()
        _ = state.begin(.init(first, key: "avatar", place: .image))
        _ = state.begin(.init(second, key: "badge"))
        #expect(state.url(for: "avatar") == first)
        #expect(state.latestKey(at: .image) == "avatar")
        #expect(state.latestKey == "badge")
        #expect(state.latestKey(at: "other") == "other")
        state.setURL(nil, for: "avatar")
        #expect(state.url(for: "avatar") == nil)
        #expect(state.url(for: "badge") == second)
    }

    @Test("T4.7 an app's own closure gets a delayed placeholder before the next load begins, and only then")
    func placeholderOfTheApp() {
        var state = ViewLoadState()
        let own = state.begin(.init(first, options: .delayPlaceholder, isShownByApp: true)).generation
        #expect(state.stop(.image) == [.showPlaceholder(own), .cancel(own)])
        let plain = state.begin(.init(first, options: .delayPlaceholder)).generation
        #expect(state.stop(.image) == [.cancel(plain)])
        let shown = state.begin(.init(first, isShownByApp: true)).generation
        #expect(state.stop(.image) == [.cancel(shown)])
    }
}
