import CGtk4
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Features common to all views.
final class EveryViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-12, S3-18: each form of the call loads, replacing the one before, and calls the given closures.
    func testEveryFormOfTheCall() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            let (loader, endings, progress, shown) = (
                test.loader, Recorder<String>(), Recorder<String>(), Recorder<Bool>()
            )
            let forms = Forms(
                view: view, url: test.url("a"), context: test.context, placeholder: try Colour.green.image(),
                ended: { endings.append($0) }, progressed: { progress.append($0) }, shown: { shown.append(true) })
            for (number, form) in forms.all.enumerated() {
                form("\(number)")
                XCTAssertEqual(loader.loads.count, number + 1, "\(kind.name), form \(number)")
                XCTAssertEqual(test.pending.count, 1, "\(kind.name), form \(number)")
                XCTAssertEqual(view.currentImageURL, test.url("a"), kind.name)
                test.pending[0].progress(1, of: 4)
            }
            view.cancelCurrentImageLoad()
            XCTAssertEqual(endings.values, forms.withCompletion.map { "\($0)" }, kind.name)
            XCTAssertEqual(progress.values, forms.withProgress.map { "\($0)" }, kind.name)
            XCTAssertEqual(shown.values.count, forms.withSetImage.count, "the placeholder of each; \(kind.name)")
        }
    }

    /// VIEW-3, VIEW-8, VIEW-11
    func testPlaceholderAddressAndCancellation() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            var endings: [Bool] = []
            view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context) {
                endings.append($0.isCancelled)
            }
            XCTAssertEqual(view.image?.colour, .green, kind.name)
            XCTAssertEqual(view.currentImageURL, test.url("a"), kind.name)
            view.cancelCurrentImageLoad()
            XCTAssertEqual(endings, [true], kind.name)
            view.setImage(with: test.url("b"), context: test.context)
            XCTAssertNil(view.image, kind.name)
        }
    }

    /// VIEW-10, S3-21: the loads of one widget under several keys are cancelled separately.
    func testEachKeyIsCancelledByItself() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            var cancelled: [String] = []
            var other = test.context
            other.operationKey = "other"
            view.setImage(with: test.url("own"), context: test.context) {
                if $0.isCancelled { cancelled.append("own") }
            }
            view.setImage(with: test.url("other"), context: other, setImage: { _, _, _, _ in }) {
                if $0.isCancelled { cancelled.append("other") }
            }
            XCTAssertEqual(view.latestOperationKey, "other", kind.name)
            XCTAssertNotNil(view.imageLoadOperation(), kind.name)
            XCTAssertNotNil(view.imageLoadOperation(forKey: "other"), kind.name)
            view.cancelImageLoad()
            XCTAssertEqual(cancelled, ["own"], kind.name)
            XCTAssertNil(view.imageLoadOperation(), kind.name)
            XCTAssertEqual(test.pending.map(\.request.url), [test.url("other")], kind.name)
            view.cancelImageLoad(forKey: "other")
            view.cancelImageLoad(forKey: "none")
            XCTAssertEqual(cancelled, ["own", "other"], kind.name)
            XCTAssertNil(view.imageLoadOperation(forKey: "other"), kind.name)
            XCTAssertTrue(test.pending.isEmpty, kind.name)
        }
    }

    /// VIEW-6, S4-5: each place of a widget has its own.
    func testEachViewHasItsProgress() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            let progress = view.imageProgress
            view.setImage(with: test.url("a"), context: test.context)
            XCTAssertTrue(view.imageProgress === progress, kind.name)
            XCTAssertEqual(progress.completedUnitCount, 0, kind.name)
            test.pending[0].progress(1, of: 4)
            XCTAssertEqual(progress.fractionCompleted, 0.25, accuracy: 0.001, kind.name)
            test.finish(test.url("a"), .red)
            iterate(until: { view.image != nil }, "the picture of \(kind.name)")
            XCTAssertEqual(progress.fractionCompleted, 1, kind.name)
        }
    }

    /// S4-6, TRN-8: a property of every view.
    func testEachViewHasItsTransition() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            var story: [String] = []
            var transition = WidgetTransition.fade(duration: .seconds(0.02))
            transition.prepares = { _, _, _, _, _ in story.append("prepares") }
            transition.animations = { _, _ in story.append("animations") }
            transition.completion = { _ in story.append("completion") }
            view.imageTransition = transition
            var hasEnded = false
            view.setImage(with: test.url("a"), options: .waitTransition, context: test.context) { _ in hasEnded = true }
            test.finish(test.url("a"), .red)
            iterate(until: { hasEnded }, "the end of the transition of \(kind.name)")
            XCTAssertEqual(story, ["prepares", "animations", "completion"], kind.name)
            XCTAssertEqual(view.image?.colour, .red, kind.name)
        }
    }

    /// A property of every view, which a context's own takes the place of.
    func testEachViewHasItsErrorPicture() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            let placeholder = try Colour.green.image()
            view.errorImage = try Colour.red.image()
            XCTAssertEqual(view.errorImage?.colour, .red, kind.name)
            var own = test.context
            own.errorImage = try Colour.blue.image()
            for (path, context, shown) in [("a", test.context, Colour.red), ("b", own, .blue)] {
                view.setImage(with: test.url(path), placeholder: placeholder, context: context)
                XCTAssertEqual(view.image?.colour, .green, kind.name)
                test.pending[0].fail(.scripted)
                iterate(until: { !view.isLoading }, "the failure of \(kind.name)")
                XCTAssertEqual(view.image?.colour, shown, kind.name)
            }
            view.errorImage = nil
            view.setImage(with: test.url("c"), placeholder: placeholder, context: test.context)
            test.pending[0].fail(.scripted)
            iterate(until: { !view.isLoading }, "the last failure of \(kind.name)")
            XCTAssertEqual(view.image?.colour, .green, kind.name)
        }
    }

    /// With the values of the latest load, more options, and other closures.
    func testEachViewLoadsAgain() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            let (first, second) = (Recorder<Bool>(), Recorder<Bool>())
            view.reload { second.append($0.isCancelled) }
            XCTAssertEqual(second.values, [false], "nothing was loaded yet; \(kind.name)")
            view.setImage(
                with: test.url("a"), placeholder: try Colour.green.image(), options: .lowPriority,
                context: test.context
            ) { first.append($0.isCancelled) }
            test.pending[0].fail(.scripted)
            iterate(until: { !view.isLoading }, "the failure of \(kind.name)")
            view.image = nil
            view.reload(options: .retryFailed) { second.append($0.isCancelled) }
            XCTAssertEqual(view.image?.colour, .green, "the same placeholder; \(kind.name)")
            XCTAssertEqual(test.pending.map(\.request.url), [test.url("a")], kind.name)
            XCTAssertTrue(test.pending[0].request.options.isSuperset(of: [.lowPriority, .retryFailed]), kind.name)
            test.finish(test.url("a"), .red)
            iterate(until: { second.values.count == 2 }, "the picture of \(kind.name)")
            XCTAssertEqual(view.image?.colour, .red, kind.name)
            view.reload(options: .fromLoaderOnly)
            XCTAssertFalse(test.pending[0].request.options.contains(.retryFailed), kind.name)
            XCTAssertEqual(first.values, [false], "each completion is called once; \(kind.name)")
        }
    }

    /// A failure goes on the list of failed addresses, which one option ignores.
    func testAnAddressThatFailedIsTriedAgainOnRequest() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            view.setImage(with: test.url("a"), context: test.context)
            test.pending[0].fail(WebImageError(.badImageData, stage: .load, kind: .permanent, reason: "none"))
            iterate(until: { !view.isLoading }, "the failure of \(kind.name)")
            view.reload()
            iterate(until: { !view.isLoading }, "the refusal of \(kind.name)")
            XCTAssertEqual(test.loader.loads.count, 1, kind.name)
            view.reload(options: .retryFailed)
            XCTAssertEqual(test.loader.loads.count, 2, kind.name)
        }
    }
}

/// All forms of the call, each with its optional arguments.
@MainActor
private struct Forms {
    let view: any WidgetView
    let url: URL
    let context: WebImageContext
    let placeholder: Image
    let ended: @Sendable (String) -> Void
    let progressed: @Sendable (String) -> Void
    let shown: @Sendable () -> Void

    typealias Form = (_ name: String) -> Void

    /// The forms with a completion, with a progress closure, and with a `setImage` closure.
    let withCompletion = [3, 4, 5, 6, 8, 9, 11, 12, 14, 15]
    let withProgress = [6, 9, 12, 15]
    let withSetImage = [7, 8, 9, 13, 14, 15]

    var all: [Form] { plain + shownByApp + text }

    private var plain: [Form] {
        [
            { _ in view.setImage(with: url, context: context) },
            { _ in view.setImage(with: url, placeholder: placeholder, context: context) },
            { _ in view.setImage(with: url, placeholder: placeholder, options: .retryFailed, context: context) },
            { name in view.setImage(with: url, context: context) { _ in ended(name) } },
            { name in view.setImage(with: url, placeholder: placeholder, context: context) { _ in ended(name) } },
            { name in view.setImage(with: url, options: .retryFailed, context: context) { _ in ended(name) } },
            { name in
                view.setImage(
                    with: url, placeholder: placeholder, options: .retryFailed, context: context,
                    progress: { _ in progressed(name) }, completed: { _ in ended(name) })
            },
        ]
    }

    private var shownByApp: [Form] {
        [
            { _ in view.setImage(with: url, context: context, setImage: { _, _, _, _ in shown() }) },
            { name in
                view.setImage(with: url, context: context, setImage: { _, _, _, _ in shown() }) { _ in ended(name) }
            },
            { name in
                view.setImage(
                    with: url, context: context, setImage: { _, _, _, _ in shown() },
                    progress: { _ in progressed(name) }, completed: { _ in ended(name) })
            },
        ]
    }

    private var text: [Form] {
        let address = url.absoluteString
        return [
            { _ in view.setImage(with: address, context: context) },
            { name in view.setImage(with: address, context: context) { _ in ended(name) } },
            { name in
                view.setImage(
                    with: address, placeholder: placeholder, options: .retryFailed, context: context,
                    progress: { _ in progressed(name) }, completed: { _ in ended(name) })
            },
            { _ in view.setImage(with: address, context: context, setImage: { _, _, _, _ in shown() }) },
            { name in
                view.setImage(with: address, context: context, setImage: { _, _, _, _ in shown() }) { _ in ended(name) }
            },
            { name in
                view.setImage(
                    with: address, context: context, setImage: { _, _, _, _ in shown() },
                    progress: { _ in progressed(name) }, completed: { _ in ended(name) })
            },
        ]
    }
}
