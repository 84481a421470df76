import CGtk4
import WebImage

/// The pictures in a list (`GtkListView`, `GtkGridView`, `GtkColumnView`) or in a `GtkScrolledWindow`: which of them are
/// loaded before they are visible.
///
/// Visible pictures are loaded first, from top to bottom and from start to end. Then those within ``loadWindow`` are
/// loaded, the nearest first. All others wait without a transfer, a read or a decode; pictures in memory appear at once
/// wherever they are.
///
/// ```swift
/// PictureList(scroller).loadWindow = LoadWindow(behind: 2, ahead: 4)
/// ```
public struct PictureList {
    /// The list or scroller.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The pictures in `widget`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The part around the visible one whose pictures are loaded: two screens ahead and one behind by default. A list's
    /// own window takes precedence over that of the scroller around it.
    public var loadWindow: LoadWindow {
        get { widget.loadWindow ?? LoadWindow() }
        nonmutating set {
            AssociatedObject.of(LoadWindowSetting.key, on: widget) { LoadWindowSetting() }.window = newValue
            WindowLoads.around(widget)?.requestFullLook()
        }
    }
}

private final class LoadWindowSetting {
    static let key = "webimage-load-window"
    var window = LoadWindow()
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The window that the app has set for this widget; nil for none.
    var loadWindow: LoadWindow? {
        (AssociatedObject.find(LoadWindowSetting.key, on: self) as LoadWindowSetting?)?.window
    }
}
