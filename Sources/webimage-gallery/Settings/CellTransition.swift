import WebImage
import WebImageGTK

/// How a cell shows a picture that has come.
nonisolated enum CellTransition: String, CaseIterable, Sendable {
    case none, fade, zoom, blur, flip, curl, push, reveal

    static let standard = CellTransition.fade

    /// For the settings.
    var title: String {
        switch self {
        case .none: "None"
        case .fade: "Fade"
        case .zoom: "Zoom"
        case .blur: "Blur to sharp"
        case .flip: "Flip"
        case .curl: "Page curl"
        case .push: "Push"
        case .reveal: "Reveal"
        }
    }

    /// nil for none.
    @MainActor var widgetTransition: WidgetTransition? {
        switch self {
        case .none: nil
        case .fade: Self.slowFade
        case .zoom: .zoom
        case .blur: .blurToSharp
        case .flip: .flipFromLeft
        case .curl: .curlDown
        case .push: .pushFromRight
        case .reveal: .revealFromTop
        }
    }

    @MainActor private static var slowFade: WidgetTransition {
        var fade = WidgetTransition.fade(duration: .seconds(0.85))
        fade.timingFunction = .easeInEaseOut
        return fade
    }
}
