import CGtk4

/// The place in which a browser is shown.
protocol BrowserSeat: AnyObject {
    /// Shows the browser.
    func take(_ widget: UnsafeMutablePointer<GtkWidget>)
    /// The browser is closed, or being destroyed with its window.
    func giveBack(_ widget: UnsafeMutablePointer<GtkWidget>)
}
