// A button's pictures that the app shows itself, with loads, URLs and keys as the others have.

import FoundationEssentials
import WebImage

// MARK: - Pictures

extension ButtonView {
    /// Loads the picture for `state` and lets `setImage` show it in place of the view.
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

    /// Loads the picture for `state` and lets `setImage` show it in place of the view, with a completion as trailing
    /// closure.
    @discardableResult
    public func setImage(
        with url: URL?, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the picture for `state` of an address or a path as a person writes it and lets `setImage` show it in place
    /// of the view.
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

    /// Loads the picture for `state` of an address or a path as a person writes it and lets `setImage` show it in place
    /// of the view, with a completion as trailing closure.
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
    /// Loads the background for `state` and lets `setImage` show it in place of the view.
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

    /// Loads the background for `state` and lets `setImage` show it in place of the view, with a completion as trailing
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

    /// Loads the background for `state` of an address or a path as a person writes it and lets `setImage` show it in
    /// place of the view.
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

    /// Loads the background for `state` of an address or a path as a person writes it and lets `setImage` show it in
    /// place of the view, with a completion as trailing closure.
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
    /// Loads the picture that a toggle button shows while it is checked and lets `setImage` show it in place of the
    /// view.
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

    /// Loads the picture that a toggle button shows while it is checked and lets `setImage` show it in place of the
    /// view, with a completion as trailing closure.
    @discardableResult
    public func setAlternateImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        alternateView.setImage(
            with: url, placeholder: placeholder, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the picture that a toggle button shows while it is checked of an address or a path as a person writes it
    /// and lets `setImage` show it in place of the view.
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

    /// Loads the picture that a toggle button shows while it is checked of an address or a path as a person writes it
    /// and lets `setImage` show it in place of the view, with a completion as trailing closure.
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
