import Foundation
import WebImage

/// Loads pictures into views that no screen shows, and checks what they have drawn. The code of Docs/Toolkits.md.
@main
@MainActor
struct Check {
    let pictures: Pictures
    let manager: WebImageManager

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = WebImageManager(cache: ImageCache(directory: folder.appending(path: "cache").path))
        let check = Check(pictures: try Pictures(in: folder), manager: manager)
        try await check.transition(.fade(duration: .milliseconds(200)))
        try await check.transition(.flipFromLeft(duration: .milliseconds(200)))
        try await check.animation()
        try await check.cancellation()
        try await check.failure()
        try await check.list()
        print("Toolkit: placeholders, transitions, an animation, a cancelled and a failed load, and a list")
    }

    private var context: WebImageContext {
        var context = WebImageContext()
        context.manager = manager
        return context
    }

    /// The placeholder, the frames of the transition, and the picture.
    private func transition(_ transition: WebImageTransition<BitmapView>) async throws {
        let view = BitmapView(side: 40)
        let result = await withCheckedContinuation { end in
            view.presenter.setImage(
                with: pictures.red, placeholder: pictures.grey, transition: transition,
                options: [.waitTransition, .forceTransition], context: context,
                completed: { end.resume(returning: $0) })
            expect(view.colors == [Pictures.greyColor], "the placeholder is drawn at once: \(view.colors)")
        }
        _ = try result.get()
        expect(view.colors.count > 3, "there are frames between the placeholder and the picture: \(view.colors)")
        expect(view.canvas.middle == Pictures.redColor, "the picture is drawn: \(view.colors)")
    }

    /// The frames of an animation.
    private func animation() async throws {
        let view = BitmapView(side: 40)
        _ = try await load(pictures.animation, into: view).get()
        guard let player = view.presenter.player else { return expect(false, "an animation has a player") }
        for await update in player.updates where update.loopCount > 0 { break }
        expect(Array(view.colors.prefix(3)) == Pictures.animationColors, "each frame is drawn: \(view.colors)")
        view.presenter.isSeen = false
        expect(!player.isPlaying, "an unseen view does not play")
    }

    private func cancellation() async throws {
        let view = BitmapView(side: 40)
        var code: WebImageError.Code?
        view.presenter.setImage(with: pictures.blue, placeholder: pictures.grey, context: context) { result in
            if case .failure(let error) = result { code = error.code }
        }
        view.presenter.cancelCurrentImageLoad()
        expect(code == .cancelled, "a cancelled load has ended when the call returns")
        expect(view.colors == [Pictures.greyColor], "the placeholder stays: \(view.colors)")
    }

    private func failure() async throws {
        let view = BitmapView(side: 40)
        view.presenter.errorImage = pictures.grey
        let result = await load(pictures.missing, into: view)
        expect((try? result.get()) == nil && view.presenter.status == .failed, "a missing file is an error")
        expect(view.canvas.middle == Pictures.greyColor, "the error picture is drawn: \(view.colors)")
    }

    /// Twenty rows of two pictures, of which the first three rows are visible.
    private func list() async throws {
        let started = Started()
        let data = try Data(contentsOf: pictures.blue)
        var context = context
        context.loader = ClosureImageLoader { request in
            await started.note(request.url)
            return data
        }
        let scroller = ScrollerLoads()
        let views = (0..<40).map { _ in BitmapView(side: 100, in: scroller) }
        let ends = AsyncStream.makeStream(of: Int.self)
        for (number, view) in views.enumerated().reversed() {
            view.presenter.setImage(
                with: "store:///\(number)", options: .fromLoaderOnly, context: context,
                completed: { _ in ends.continuation.yield(number) })
        }
        expect(views.allSatisfy { $0.presenter.isLoading }, "loads wait for the layout")
        for (number, view) in views.enumerated() {
            view.frameInScroller = PointRect(
                x: Double(number % 2) * 100, y: Double(number / 2) * 100, width: 100, height: 100)
        }
        scroller.visibleArea = PointRect(x: 0, y: 0, width: 200, height: 300)
        // Those of the visible screen, and of the two after it.
        var ended: [Int] = []
        for await number in ends.stream {
            ended.append(number)
            if ended.count == 20 { break }
        }
        expect(Set(ended) == Set(0..<20), "visible and near pictures are loaded: \(ended)")
        expect(Set(ended.prefix(6)) == Set(0..<6), "visible ones first: \(ended)")
        expect(await Set(started.numbers) == Set(0..<20), "no other load has begun")
        expect(views[0].canvas.middle == Pictures.blueColor, "they are drawn")
        expect(views[39].presenter.isLoading, "far ones wait")
    }

    private func load(_ url: URL, into view: BitmapView) async -> Result<LoadResult, WebImageError> {
        await withCheckedContinuation { end in
            view.presenter.setImage(with: url, context: context, completed: { end.resume(returning: $0) })
        }
    }

    private func expect(_ isTrue: Bool, _ text: String) {
        guard !isTrue else { return }
        print("Toolkit: not so: \(text)")
        exit(1)
    }
}

/// The loads that have begun.
private actor Started {
    private(set) var numbers: [Int] = []

    func note(_ url: URL) { numbers.append(Int(url.lastPathComponent) ?? -1) }
}
