import FoundationEssentials
import WebImage

// MARK: - Pictures

extension ButtonView {
    /// Loads the picture for `state` and shows it while the button is in that state; otherwise as
    /// ``WidgetView/setImage(with:placeholder:options:context:progress:completed:)``. Loads for different states are
    /// independent.
    @discardableResult
    public func setImage(
        with url: URL?, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the picture for `state`, with a completion as trailing closure; otherwise as the full form.
    @discardableResult
    public func setImage(
        with url: URL?, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, completed: completed)
    }

    /// The picture for `state`, shown or not; nil when there is none, or one that was not set through this library.
    public func image(for state: ButtonState) -> Image? { imageView(for: state).image }

    /// The URL of the latest load for `state`; never that of another state.
    public func imageURL(for state: ButtonState) -> URL? { imageView(for: state).urlOfPlace }

    /// The URL of the picture for the button's present state, or of the best match that has a URL, down to the picture
    /// for the normal state.
    public var currentImageURL: URL? {
        state.fallbacks.lazy.compactMap { imageURL(for: $0) }.first
    }

    /// Cancels the load of the picture for `state`, if it runs; its completion is called before this call returns.
    public func cancelImageLoad(for state: ButtonState) { imageView(for: state).cancelCurrentImageLoad() }
}

// MARK: - Backgrounds

extension ButtonView {
    /// Loads the background for `state` and shows it while the button is in that state; otherwise as
    /// ``WidgetView/setImage(with:placeholder:options:context:progress:completed:)``. Loads for different states are
    /// independent.
    @discardableResult
    public func setBackgroundImage(
        with url: URL?, for state: ButtonState = .normal, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the background for `state`, with a completion as trailing closure; otherwise as the full form.
    @discardableResult
    public func setBackgroundImage(
        with url: URL?, for state: ButtonState = .normal, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, completed: completed)
    }

    /// The background for `state`, shown or not; nil when there is none.
    public func backgroundImage(for state: ButtonState) -> Image? { backgroundView(for: state).image }

    /// The URL of the latest load of the background for `state`; never that of another state.
    public func backgroundImageURL(for state: ButtonState) -> URL? { backgroundView(for: state).urlOfPlace }

    /// The URL of the background for the button's present state, or of the best match that has a URL, down to the
    /// background for the normal state.
    public var currentBackgroundImageURL: URL? {
        state.fallbacks.lazy.compactMap { backgroundImageURL(for: $0) }.first
    }

    /// Cancels the load of the background for `state`, if it runs; its completion is called before this call returns.
    public func cancelBackgroundImageLoad(for state: ButtonState) {
        backgroundView(for: state).cancelCurrentImageLoad()
    }
}

// MARK: - The alternate picture

extension ButtonView {
    /// Loads the picture that a toggle button shows while it is checked; otherwise as
    /// ``WidgetView/setImage(with:placeholder:options:context:progress:completed:)``.
    @discardableResult
    public func setAlternateImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        alternateView.setImage(
            with: url, placeholder: placeholder, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the alternate picture, with a completion as trailing closure; otherwise as the full form.
    @discardableResult
    public func setAlternateImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        alternateView.setImage(
            with: url, placeholder: placeholder, options: options, context: context, completed: completed)
    }

    /// The alternate picture, shown or not; nil when there is none.
    public var alternateImage: Image? { alternateView.image }

    /// The URL of the latest load of the alternate picture.
    public var currentAlternateImageURL: URL? { alternateView.urlOfPlace }

    /// Cancels the load of the alternate picture, if it runs; its completion is called before this call returns.
    public func cancelCurrentAlternateImageLoad() { alternateView.cancelCurrentImageLoad() }
}

extension WidgetView {
    /// The URL of this place alone; `currentImageURL` of some views looks at several places.
    fileprivate var urlOfPlace: URL? { currentImageURL }
}
