// Loads for the pictures of a button that the app shows itself; keys and URLs work as in the other loads.

import FoundationEssentials
import WebImage

// MARK: - Pictures

extension ButtonView {
    /// Loads the picture for `state`; `setImage` shows it instead of the view.
    @discardableResult
    public func setImage(
        with url: URL?, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the picture for `state`; `setImage` shows it instead of the view. The completion is the trailing closure.
    @discardableResult
    public func setImage(
        with url: URL?, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the picture for `state` from an address or a path as typed by a person; `setImage` shows it instead of the
    /// view.
    @discardableResult
    public func setImage(
        with address: String, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the picture for `state` from an address or a path as typed by a person; `setImage` shows it instead of the
    /// view. The completion is the trailing closure.
    @discardableResult
    public func setImage(
        with address: String, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }
}

// MARK: - Backgrounds

extension ButtonView {
    /// Loads the background for `state`; `setImage` shows it instead of the view.
    @discardableResult
    public func setBackgroundImage(
        with url: URL?, for state: ButtonState = .normal, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the background for `state`; `setImage` shows it instead of the view. The completion is the trailing
    /// closure.
    @discardableResult
    public func setBackgroundImage(
        with url: URL?, for state: ButtonState = .normal, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the background for `state` from an address or a path as typed by a person; `setImage` shows it instead of
    /// the view.
    @discardableResult
    public func setBackgroundImage(
        with address: String, for state: ButtonState = .normal, placeholder: Image? = nil,
        options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the background for `state` from an address or a path as typed by a person; `setImage` shows it instead of
    /// the view. The completion is the trailing closure.
    @discardableResult
    public func setBackgroundImage(
        with address: String, for state: ButtonState = .normal, placeholder: Image? = nil,
        options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }
}

// MARK: - The alternate picture

extension ButtonView {
    /// Loads the picture for the checked state of a toggle button; `setImage` shows it instead of the view.
    @discardableResult
    public func setAlternateImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        alternateView.setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the picture for the checked state of a toggle button; `setImage` shows it instead of the view. The
    /// completion is the trailing closure.
    @discardableResult
    public func setAlternateImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        alternateView.setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the picture for the checked state of a toggle button from an address or a path as typed by a person;
    /// `setImage` shows it instead of the view.
    @discardableResult
    public func setAlternateImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        alternateView.setImage(
            with: address, placeholder: placeholder, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the picture for the checked state of a toggle button from an address or a path as typed by a person;
    /// `setImage` shows it instead of the view. The completion is the trailing closure.
    @discardableResult
    public func setAlternateImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        alternateView.setImage(
            with: address, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }
}
