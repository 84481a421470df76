import FoundationEssentials
import WebImage

extension WidgetView {
    /// Loads a picture, at low priority, and lets it appear gradually if it had to come from the network: 0.85 s, slow
    /// at both ends. A picture from a cache is there at once.
    ///
    /// - Parameters:
    ///   - url: Where the picture is.
    ///   - placeholder: What to fade from; nil fades from the widget's own background.
    ///   - context: Settings of this load.
    public func transitionFadeLoadImage(
        _ url: URL?, placeholder: Image? = nil, context: WebImageContext = WebImageContext()
    ) {
        setImage(with: url, placeholder: placeholder, options: .lowPriority, context: context) { result in
            if FadeTransition.applies(to: result) { fadeFromPreviousContent() }
        }
    }

    /// Lets the picture that was just set appear gradually over what the widget showed before: for completions of
    /// ``setImage(with:placeholder:options:context:progress:completed:)``, after which the former content is let go.
    ///
    /// Does nothing when the load set no picture, when the widget is not on screen, and when the desktop's settings
    /// turn animations off. When the fade has ended, nothing of it is left. A new picture meanwhile starts from what is
    /// on screen.
    public func fadeFromPreviousContent(_ transition: FadeTransition = FadeTransition()) {
        Coordinator.of(widget).surface.fadeFromPrevious(transition, in: self)
    }
}
