import FoundationEssentials
import WebImage

extension WidgetView {
    /// Loads a picture, at low priority, and lets it appear gradually if it had to come from the network: 0.85 s, slow
    /// at both ends. A picture from a cache is there at once, and so are the parts of one that loads progressively.
    ///
    /// - Parameters:
    ///   - url: Where the picture is.
    ///   - placeholder: What to fade from; nil fades from the widget's own background.
    ///   - options: How it is loaded; low priority alone by default.
    ///   - context: Settings of this load.
    ///   - completed: Gets the end of the load, when the fade begins.
    /// - Returns: As ``setImage(with:placeholder:options:context:progress:completed:)``.
    @discardableResult
    public func transitionFadeLoadImage(
        _ url: URL?, placeholder: Image? = nil, options: WebImageOptions = .lowPriority,
        context: WebImageContext = WebImageContext(), completed: Completion? = nil
    ) -> LoadOperation? {
        setImage(
            with: url, placeholder: placeholder, options: options, context: context, completed: fading(completed))
    }

    /// The same for an address or a path as a person writes it.
    @discardableResult
    public func transitionFadeLoadImage(
        _ address: String, placeholder: Image? = nil, options: WebImageOptions = .lowPriority,
        context: WebImageContext = WebImageContext(), completed: Completion? = nil
    ) -> LoadOperation? {
        setImage(
            with: address, placeholder: placeholder, options: options, context: context, completed: fading(completed))
    }

    private func fading(_ completed: Completion?) -> Completion {
        let view = viewOfLoads
        return { result in
            if FadeTransition.applies(to: result) { view.fadeFromPreviousContent() }
            completed?(result)
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
