import FoundationEssentials
import WebImage

// MARK: - Pictures

extension ButtonView {
    /// Loads the picture for `state` and shows it while the button is in that state; otherwise as the other views. Loads
    /// for different states are independent.
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, for state: ButtonState, placeholder: Image? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion?
    ) -> LoadOperation? {
        imageView(for: state).load(
            address, placeholder, transformer, transition, options, context, setImage: setImage, progress: progress,
            completed: completed)
    }

    /// The same without a completion.
    @_disfavoredOverload
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, for state: ButtonState, placeholder: Image? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        imageView(for: state).load(
            address, placeholder, transformer, transition, options, context, setImage: setImage, progress: progress)
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
    /// Loads the background for `state` and shows it while the button is in that state; otherwise as `setImage`. Loads for
    /// different states are independent.
    @discardableResult
    public func setBackgroundImage(
        with address: (any ImageAddress)?, for state: ButtonState = .normal, placeholder: Image? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion?
    ) -> LoadOperation? {
        backgroundView(for: state).load(
            address, placeholder, transformer, transition, options, context, setImage: setImage, progress: progress,
            completed: completed)
    }

    /// The same without a completion.
    @_disfavoredOverload
    @discardableResult
    public func setBackgroundImage(
        with address: (any ImageAddress)?, for state: ButtonState = .normal, placeholder: Image? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        backgroundView(for: state).load(
            address, placeholder, transformer, transition, options, context, setImage: setImage, progress: progress)
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
    /// Loads the picture that a toggle button shows while it is checked; otherwise as `setImage`.
    @discardableResult
    public func setAlternateImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, transformer: (any ImageTransformer)? = nil,
        transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion?
    ) -> LoadOperation? {
        alternateView.load(
            address, placeholder, transformer, transition, options, context, setImage: setImage, progress: progress,
            completed: completed)
    }

    /// The same without a completion.
    @_disfavoredOverload
    @discardableResult
    public func setAlternateImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, transformer: (any ImageTransformer)? = nil,
        transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        alternateView.load(
            address, placeholder, transformer, transition, options, context, setImage: setImage, progress: progress)
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
