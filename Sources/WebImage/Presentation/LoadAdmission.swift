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
    /// Identifies it among the loads of its widget.
    package let number: UInt64
    /// Whether the view chooses the decode size: not when the app has.
    package let takesViewSize: Bool
    /// Whether it may wait for a scroller to slow down.
    package let isPatient: Bool
    /// Whether memory has the picture in the size of the box.
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

    /// Cancels a request that waits for admission.
    func withdraw(_ number: UInt64)
}

/// For toolkits without lists and unknown sizes: admits every load at once.
package struct AlwaysAdmitting<View>: LoadAdmitting {
    package func admit(_ request: AdmissionRequest, for view: View) -> LoadAdmission { .now(nil) }

    package func withdraw(_ number: UInt64) {}
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

extension ViewLoadRequest {
    /// Whether memory has the picture decoded for `box`.
    func isInMemory(for box: DecodeBox?, callbackQueue: CallbackQueue) -> Bool {
        guard let url else { return false }
        let context = contextForManager(callbackQueue: callbackQueue, box: box)
        return manager.imageFromMemory(for: url, options: options, context: context) != nil
    }
}
