import CGtk4
import WebImage

/// The one record of a view's load that waits for its turn, for the size of its view, or for both. It stays in the order of its
/// window until it ends or is withdrawn.
final class LoadTicket: TurnTaking {
    /// The state of its wait for a decode size.
    enum Wait {
        case none
        /// Until its view has a layout.
        case forLayout
        /// Until its view has one, or another cell of its kind in that scroller has.
        case forCells(CellKind, ScrollArea)
        /// It has waited in vain, and has not asked again yet.
        case disappointed(SizeWait.Disappointment)
    }

    let id: ViewLoadID
    let widget: UnsafeMutablePointer<GtkWidget>
    let request: AdmissionRequest
    var turn: ViewTurn
    /// Whether it begins in the order of a window.
    var isQueued = false
    /// That window; nil for a widget that is in none yet. The widget may have left it since.
    weak var window: WindowLoads?
    /// Whether its view is in a list that makes cells for visible items and for some more.
    var isInRecyclingList = false

    var wait = Wait.none {
        didSet {
            if case .forCells(_, let area) = oldValue { area.remove(self) }
            if case .forCells(_, let area) = wait { area.add(self) }
        }
    }

    private let moved: (ViewVisibility) -> Void

    /// - Parameter moved: Called before the load is moved.
    init(
        _ request: AdmissionRequest, of widget: UnsafeMutablePointer<GtkWidget>,
        moved: @escaping (ViewVisibility) -> Void
    ) {
        (id, self.request, self.widget, self.moved) = (request.id, request, widget, moved)
        turn = ViewTurn(isPatient: request.isPatient)
    }

    /// The view has moved.
    func move(to visibility: ViewVisibility) {
        moved(visibility)
        request.move(visibility)
    }

    // MARK: Its size

    var waitsForSize: Bool {
        switch wait {
        case .forLayout, .forCells: true
        case .none, .disappointed: false
        }
    }

    /// Lets the load ask again, if it still waits for a size.
    func resume(_ disappointment: SizeWait.Disappointment? = nil) {
        guard waitsForSize else { return }
        wait = disappointment.map { .disappointed($0) } ?? .none
        request.resume()
    }

    /// The reason why it has waited in vain, for a load that asks again.
    func takeDisappointment() -> SizeWait.Disappointment? {
        guard case .disappointed(let disappointment) = wait else { return nil }
        wait = .none
        return disappointment
    }
}
