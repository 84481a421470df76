import FoundationEssentials
import WebImage

extension WidgetView {
    /// Loads a picture at low priority, and fades it in if it came from the network: 0.85 s, with ease in and out. A
    /// picture from a cache, and each part of a progressive load, shows at once.
    ///
    /// The call of SDWebImage's first article. `setImage(with: url, transition: .fade)` has the priority of other loads,
    /// and fades pictures from the disk, too.
    ///
    /// - Parameters:
    ///   - address: The picture's `URL`, or a `String` with an address or a path.
    ///   - placeholder: The start of the fade; nil fades from the widget's background.
    ///   - options: Options of the load; low priority alone by default.
    ///   - context: The context of the load.
    ///   - completed: Called at the end of the load, when the fade begins.
    /// - Returns: As `setImage`.
    @discardableResult
    public func transitionFadeLoadImage(
        _ address: (any ImageAddress)?, placeholder: Image? = nil, options: WebImageOptions = .lowPriority,
        context: WebImageContext = WebImageContext(), completed: Completion? = nil
    ) -> LoadOperation? {
        load(address, placeholder, nil, nil, options, context, completed: fading(completed))
    }

    private func fading(_ completed: Completion?) -> Completion {
        let view = viewOfLoads
        return { result in
            if FadeTransition.applies(to: result) { view.fadeFromPreviousContent() }
            completed?(result)
        }
    }

    /// Fades the picture that was just set in over the former content of the widget: for completions of `setImage`, after
    /// which the former content is released.
    ///
    /// Does nothing when the load set no picture, when the widget is not on screen, or when the desktop's settings turn
    /// animations off. The fade leaves nothing behind. A new picture during the fade starts from its current frame.
    ///
    /// - Parameters:
    ///   - duration: The time from the old picture to the new one.
    ///   - timing: The curve from time to the new picture's opacity.
    public func fadeFromPreviousContent(
        duration: Duration = .seconds(0.85), timing: TimingFunction = .easeInEaseOut
    ) {
        let transition = FadeTransition(duration: duration, timing: timing)
        Coordinator.of(widget).surface.fadeFromPrevious(transition, in: self)
    }
}
