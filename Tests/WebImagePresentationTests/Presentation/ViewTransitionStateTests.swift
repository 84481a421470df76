import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation

@Suite struct ViewTransitionStateTests {
    private let first = URL(string: "http://host/1.jpg")
    private let second = URL(string: "http://host/2.jpg")

    /// Options, the source of the picture, and whether it gets the view's transition.
    private static let rows: [(WebImageOptions, ImageCacheType, Bool)] = [
        ([], .noCache, true), ([], .memory, false), ([], .disk, true), ([], .all, false),
        (.queryMemoryDataSync, .disk, false), (.queryDiskDataSync, .disk, false),
        (.queryDiskDataSync, .noCache, true), (.queryMemoryData, .disk, true),
        (.forceTransition, .memory, true), (.forceTransition, .noCache, true),
        ([.forceTransition, .queryDiskDataSync], .disk, true),
        ([.forceTransition, .avoidAutoSetImage], .noCache, false),
    ]

    @Test("TRN-8 S3-31 S4-8 A91 the source of a picture and the options decide about its transition", arguments: rows)
    func table(options: WebImageOptions, cacheType: ImageCacheType, animates: Bool) {
        for hasTransition in [true, false] {
            var state = ViewLoadState()
            let load = state.begin(.init(first, options: options)).generation
            let actions = state.finish(load, with: .image(cacheType), hasTransition: hasTransition)
            #expect(actions.contains(.transition(load)) == (animates && hasTransition))
            #expect(state.runsTransition(load) == (animates && hasTransition))
            #expect(actions.last == .complete(load))
        }
    }

    @Test("TRN-8 failures, placeholders and error pictures do not get it", arguments: [true, false])
    func failure(hasErrorImage: Bool) {
        var state = ViewLoadState()
        let load = state.begin(
            .init(first, options: [.delayPlaceholder, .forceTransition], hasErrorImage: hasErrorImage)
        ).generation
        let actions = state.finish(load, with: .failure, hasTransition: true)
        #expect(!actions.contains(.transition(load)))
        #expect(!state.runsTransition(load))
    }

    @Test("OPT-25 TRN-10 with waitTransition the completion comes when the transition has ended")
    func waits() {
        var state = ViewLoadState()
        let load = state.begin(.init(first, options: .waitTransition)).generation
        #expect(
            state.finish(load, with: .image(.noCache), hasTransition: true) == [.updateStatus, .transition(load)])
        #expect(!state.isLoading(.image))
        #expect(state.endTransition(load) == [.complete(load)])
        #expect(state.endTransition(load) == [])
    }

    @Test(
        "OPT-25 B47 with waitTransition and no transition, the completion comes at once",
        arguments: [ViewLoadState.Ending.image(.noCache), .image(.memory), .failure, .cancelled])
    func nothingToWaitFor(ending: ViewLoadState.Ending) {
        var state = ViewLoadState()
        let load = state.begin(.init(first, options: .waitTransition)).generation
        let hasTransition = ending != .image(.noCache)
        #expect(state.finish(load, with: ending, hasTransition: hasTransition).last == .complete(load))
    }

    @Test("TRN-9 A11 B42 the next load under the same key discards the transition")
    func overtakenByTheSameKey() {
        var state = ViewLoadState()
        let old = transition(in: &state)
        _ = state.begin(.init(second))
        #expect(!state.runsTransition(old))
        #expect(state.endTransition(old) == [])
    }

    @Test("TRN-9 a load under another key ends it for the same place, and leaves other places alone")
    func overtakenByAnotherKey() {
        var state = ViewLoadState()
        let old = transition(in: &state)
        _ = state.begin(.init(second, key: "badge"))
        #expect(state.runsTransition(old))
        _ = state.begin(.init(second, key: "avatar", place: .image))
        #expect(!state.runsTransition(old))
    }

    @Test("T4.7 cancelling during the transition ends it, though the load is over")
    func cancelled() {
        var state = ViewLoadState()
        let load = transition(in: &state)
        #expect(state.cancel(.image) == [])
        #expect(!state.runsTransition(load))
    }

    @Test("OPT-25 B47 a waiting completion comes once: as cancelled, or when another load takes the place")
    func waitingIsOvertaken() {
        var state = ViewLoadState()
        let cancelled = transition(in: &state, options: .waitTransition)
        #expect(state.cancel(.image) == [.cancel(cancelled)])
        #expect(state.endTransition(cancelled) == [])

        let replaced = transition(in: &state, options: .waitTransition)
        #expect(state.begin(.init(second)).actions.first == .cancel(replaced))
        #expect(state.endTransition(replaced) == [])

        let overtaken = transition(in: &state, options: .waitTransition)
        #expect(state.begin(.init(second, key: "avatar", place: .image)).actions.first == .complete(overtaken))

        let beside = transition(in: &state, options: .waitTransition)
        #expect(state.begin(.init(second, options: .avoidAutoCancelImage)).actions.first == .complete(beside))

        let last = transition(in: &state, options: .waitTransition)
        #expect(state.end().contains(.cancel(last)))
        #expect(!state.runsTransition(last))
    }

    /// A load with a running transition.
    private func transition(
        in state: inout ViewLoadState, options: WebImageOptions = []
    ) -> ViewLoadState.Generation {
        let load = state.begin(.init(first, options: options)).generation
        _ = state.finish(load, with: .image(.noCache), hasTransition: true)
        return load
    }
}
