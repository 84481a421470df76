import CGtk4
import WebImage

@testable import WebImageGTK

/// A filled rectangle that records its calls.
@MainActor
final class TestIndicator: WebImageIndicator {
    enum Event: Equatable {
        case start
        case stop
        case progress(Double)
    }

    private(set) var events: [Event] = []
    private let widget: IndicatorWidget

    /// - Parameter side: Pixels of each side; 0 for a widget without a size.
    init(_ colour: Colour = .red, side: Int = 10) throws {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        widget = IndicatorWidget(picture)
        widget.isVisible = false
        if side > 0 {
            let handle = PaintableHandle(StillContent(try colour.image(width: side, height: side)))
            gtk_picture_set_paintable(OpaquePointer(picture), handle.pointer)
        }
    }

    var indicatorView: UnsafeMutablePointer<GtkWidget> { widget.pointer }

    func startAnimating() {
        events.append(.start)
        widget.isVisible = true
    }

    func stopAnimating() {
        events.append(.stop)
        widget.isVisible = false
    }

    func updateProgress(_ progress: Double) { events.append(.progress(progress)) }
}
