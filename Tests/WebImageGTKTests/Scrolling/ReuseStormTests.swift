import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets with several pictures each that are repeatedly bound, shown, hidden and removed, while loads of a few
/// pictures end or fail in any order, and while transitions run.
final class ReuseStormTests: GTKTestCase, @unchecked Sendable {
    /// S3-23, B42: no place ever shows the picture of a former binding, and nothing is left at the end.
    func testTenThousandRandomBindsShowNoStalePictureAndLeaveNothing() throws {
        try onMainThread {
            try requireDisplay()
            let (live, paintables) = (LiveReferences(), LiveObjects())
            try run(seed: 1, live, paintables)
            iterate(until: { live.count == 0 && paintables.count == 0 }, "the end of all that was there")
            XCTAssertEqual(live.left, [])
        }
    }

    @MainActor
    private func run(seed: UInt64, _ live: LiveReferences, _ paintables: LiveObjects) throws {
        let storm = Storm(seed: seed, live, paintables)
        storm.stage.show()
        iterate(until: { storm.stage.isOnScreen }, "the window")
        while storm.binds < 10_000 { storm.step() }
        storm.settle()
        iterate(
            until: {
                storm.endOneLoad()
                storm.stage.time += 100_000
                return storm.isSettled
            }, "the end of all loads, seed \(seed)")
        XCTAssertEqual(storm.stalePictures, [], "stale pictures with seed \(seed)")
        XCTAssertTrue(storm.endings.values.allSatisfy { $0 == 1 }, "a completion was called twice with seed \(seed)")
        // How many come to their end depends on the machine's speed.
        XCTAssertGreaterThan(storm.transitions, 20)
        XCTAssertFalse(storm.stage.manager.isRunning)
        XCTAssertGreaterThan(live.count, 0)
        XCTAssertGreaterThan(paintables.watched, 0)
        storm.stage.close()
        storm.stage.cache.clear(.memory, completion: nil)
    }
}

@MainActor
private final class Storm {
    // Larger than the textures that GTK's renderer keeps in its atlas for a while.
    let stage = ListStage(pictures: 32, size: 160)
    private(set) var binds = 0
    private(set) var endings: [Int: Int] = [:]
    /// The number of ended transitions.
    private(set) var transitions = 0
    private(set) var stalePictures: [String] = []

    private let loader = ForgetfulLoader()
    private let live: LiveReferences
    private let paintables: LiveObjects
    private var shown: [UnsafeMutablePointer<GtkWidget>: OpaquePointer] = [:]
    private var random: SeededGenerator
    private var places: [StormPlace] = []

    private static let transitions: [WidgetTransition?] = [nil, .fade, .flipFromLeft, .curlUp, .pushFromTop, .zoom]
    private static let options: [WebImageOptions] = [
        [], .lowPriority, [.lowPriority, .retryFailed], .retryFailed, .avoidAutoCancelImage, .forceTransition,
        [.waitTransition, .retryFailed], .delayPlaceholder, [.delayPlaceholder, .retryFailed],
    ]

    init(seed: UInt64, _ live: LiveReferences, _ paintables: LiveObjects) {
        random = SeededGenerator(seed: seed)
        self.live = live
        self.paintables = paintables
        let buttons = (0..<8).compactMap { _ in gtk_toggle_button_new() }
        for button in buttons {
            gtk_widget_set_size_request(button, 160, 160)
            stage.append(button)
        }
        places = (stage.pictures + buttons).flatMap(StormPlace.all)
        for place in places { live.watch(Coordinator.of(place.widget)) }
    }

    /// Whether all loads have ended and called their completions.
    var isSettled: Bool { endings.count == binds && loader.waitingCount == 0 && !stage.manager.isRunning }

    func step() {
        let index = places.indices.randomElement(using: &random) ?? 0
        let widget = places[index].widget
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<58: bind(index)
        case 58..<80: endOneLoad()
        case 80..<84: gtk_widget_set_visible(widget, Int32.random(in: 0...1, using: &random))
        case 84: stage.cache.clear(.memory, completion: nil)
        case 85: stage.scroll(by: Double.random(in: -900...900, using: &random))
        case 86: places[index].changeState(using: &random)
        case 87: places[index].view.cancelCurrentImageLoad()
        case 88: places[index].view.removeImageLoadOperation()
        case 89: moveOut(widget)
        case 90..<92: stage.time += 200_000
        default: g_main_context_iteration(nil, 0)
        }
        for index in places.indices where places[index].widget == widget { check(index) }
    }

    /// Shows all widgets, so that loads waiting for visibility continue.
    func settle() {
        for place in places { gtk_widget_set_visible(place.widget, 1) }
        for index in places.indices { check(index) }
    }

    func endOneLoad() { loader.finishOne(using: &random) }

    private func bind(_ index: Int) {
        let picture = Int.random(in: 1...8, using: &random)
        let bind = binds
        binds += 1
        let options = Self.options.randomElement(using: &random) ?? []
        check(index)
        places[index].bind(bind, to: picture, keepsFormer: options.contains(.delayPlaceholder))
        let view = places[index].view
        view.display?.time = { [weak stage] _ in stage?.time ?? 0 }
        var transition = Self.transitions.randomElement(using: &random) ?? nil
        transition?.completion = { [weak self] _ in self?.transitions += 1 }
        view.imageTransition = transition
        let operation = view.setImage(
            with: stage.url("\(picture)"), options: options, context: randomContext(for: view)
        ) { [weak self] result in
            self?.endings[bind, default: 0] += 1
            self?.places[index].note(result, of: bind)
        }
        live.watch(operation)
    }

    /// Sometimes uses another key, under which a load does not cancel the one before: a place may have three. Never
    /// uses the key of another place, which would cancel that place's latest load.
    private func randomContext(for view: any WidgetView) -> WebImageContext {
        var context = WebImageContext()
        context.manager = stage.manager
        context.loader = loader
        let name = [nil, nil, "first", "second"].randomElement(using: &random) ?? nil
        context.operationKey = name.map { "\($0) of \(view.slot.operationKey)" }
        return context
    }

    /// Removes a widget from its row, lets time pass, and puts it back.
    private func moveOut(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard let row = gtk_widget_get_parent(widget)?.of(GtkListBoxRow.self) else { return }
        g_object_ref(widget)
        gtk_list_box_row_set_child(row, nil)
        g_main_context_iteration(nil, 0)
        gtk_list_box_row_set_child(row, widget)
        g_object_unref(widget)
    }

    private func check(_ index: Int) {
        let place = places[index]
        let display = place.view.display
        live.watch(display?.image)
        live.watch(display?.image?.bitmap)
        let paintable = display?.target.paintable
        if let paintable, paintable != shown[place.widget] { paintables.watch(UnsafeMutableRawPointer(paintable)) }
        shown[place.widget] = paintable
        guard let image = display?.image, !places[index].noteSeen(image.colour) else { return }
        stalePictures.append(
            "\(image.colour) in \(place.view.slot.operationKey) after \(binds) binds: \(place.history)")
    }
}

/// One of the pictures of a widget.
@MainActor
private struct StormPlace {
    let view: any WidgetView
    private var lastBind = -1
    /// The number of the picture that it was bound to last; 0 for none.
    private var bound = 0
    private var hasArrived = false
    /// The picture that may stay until then: with `delayPlaceholder`, the former one.
    private var former: Int?
    /// The actions on it, the latest last.
    private(set) var history: [String] = []

    init(_ view: any WidgetView) { self.view = view }

    var widget: UnsafeMutablePointer<GtkWidget> { view.widget }

    mutating func bind(_ bind: Int, to picture: Int, keepsFormer: Bool) {
        history = history.suffix(8) + ["\(bind) to \(picture)\(keepsFormer ? ", delayed" : "")"]
        former = keepsFormer ? (hasArrived ? bound : former) : nil
        (lastBind, bound, hasArrived) = (bind, picture, false)
    }

    /// Its load has ended: a picture replaces the former one, and so does the empty placeholder of a failure. A
    /// cancellation changes nothing.
    mutating func note(_ result: Result<LoadResult, WebImageError>, of bind: Int) {
        history.append(
            "\(bind) \(result.isCancelled ? "cancelled" : (try? result.get()) == nil ? "failed" : "arrived")")
        guard bind == lastBind, !result.isCancelled else { return }
        former = nil
        if case .success = result { hasArrived = true }
    }

    /// Records that a picture of `colour` is visible.
    ///
    /// - Returns: false for one of a former binding.
    mutating func noteSeen(_ colour: Colour) -> Bool {
        if colour == Colour(numbered: bound) {
            (hasArrived, former) = (true, nil)
            return true
        }
        return former.map { colour == Colour(numbered: $0) } ?? false
    }

    /// The places of a picture or a toggle button.
    static func all(of widget: UnsafeMutablePointer<GtkWidget>) -> [StormPlace] {
        if widget.isA(gtk_toggle_button_get_type()) {
            let button = ButtonView(widget)
            return [button, button.imageView(for: .checked), button.backgroundView(for: .normal)]
                .map { StormPlace($0) }
        }
        let picture = PictureView(widget)
        return [StormPlace(picture), StormPlace(picture.highlightedView)]
    }

    /// Perhaps switches the widget to another one of its pictures.
    func changeState(using random: inout SeededGenerator) {
        let isOn = Bool.random(using: &random)
        if widget.isA(gtk_toggle_button_get_type()) {
            gtk_toggle_button_set_active(widget.of(GtkToggleButton.self), isOn ? 1 : 0)
        } else {
            PictureView(widget).isHighlighted = isOn
        }
    }
}
