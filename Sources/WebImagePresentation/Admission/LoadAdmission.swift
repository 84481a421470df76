import WebImageCore
import WebImageLoading

/// The decision whether a view's load may begin.
package enum LoadAdmission: Sendable, Hashable {
    /// Now; the picture is decoded to fit the box, or for nil as its context says.
    case now(DecodeBox?)
    /// Later, when the surface calls `resume` or `move`: the view's size is not known yet, or the view is far from what is
    /// visible.
    case later
}

/// A load that asks for admission.
package struct AdmissionRequest {
    package let id: ViewLoadID
    /// Whether the view chooses the decode size: not when the app has.
    package let takesViewSize: Bool
    /// Whether it may wait for a scroller to slow down.
    package let isPatient: Bool
    /// Whether memory answers the load for this box, so that it ends at once.
    package let isInMemory: @MainActor (DecodeBox?) -> Bool
    /// Called once when it may ask again, if it may not begin now.
    package let resume: @MainActor () -> Void
    /// Called when the view has moved, until the load is withdrawn. A load that is held asks again, unless it is far.
    package let move: @MainActor (ViewVisibility) -> Void
}

/// Says when the loads of a widget may begin.
@MainActor
package protocol LoadAdmitting<View> {
    /// The type of the toolkit's views.
    associatedtype View

    /// Whether a load may begin.
    func admit(_ request: AdmissionRequest, for view: View) -> LoadAdmission

    /// Whether a load may begin now that restores a released picture, or decodes it again for a larger view. If not, its
    /// ``AdmissionRequest/move`` says when.
    func admitReload(_ request: AdmissionRequest) -> Bool

    /// Forgets a request whose load has ended, or waits no longer.
    func withdraw(_ id: ViewLoadID)
}

/// For toolkits without lists and unknown sizes: admits every load at once.
package struct AlwaysAdmitting<View>: LoadAdmitting {
    package func admit(_ request: AdmissionRequest, for view: View) -> LoadAdmission { .now(nil) }

    package func admitReload(_ request: AdmissionRequest) -> Bool { true }

    package func withdraw(_ id: ViewLoadID) {}
}

extension PresentationSurface where Admission == AlwaysAdmitting<View> {
    package var admission: Admission { AlwaysAdmitting() }
}

extension PresentationSurface {
    package var isSeen: Bool { true }

    package func image(at place: ViewLoadKey) -> Image? { nil }

    package func decodeBox(at place: ViewLoadKey) -> DecodeBox? { nil }

    package func drop(_ place: ViewLoadKey) {}

    package func standIn(_ image: Image?, at place: ViewLoadKey) {}

    package func replace(by image: Image, at place: ViewLoadKey) {}
}
