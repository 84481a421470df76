// Loads from text for the pictures of a button.

import FoundationEssentials
import WebImage

// MARK: - Pictures

extension ButtonView {
    /// Loads the picture for `state` from an address or a path as typed by a person; otherwise as with a URL.
    @discardableResult
    public func setImage(
        with address: String, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the picture for `state` from an address or a path as typed by a person, with a completion as trailing
    /// closure; otherwise as with a URL.
    @discardableResult
    public func setImage(
        with address: String, for state: ButtonState, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        imageView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, completed: completed)
    }
}

// MARK: - Backgrounds

extension ButtonView {
    /// Loads the background for `state` from an address or a path as typed by a person; otherwise as with a URL.
    @discardableResult
    public func setBackgroundImage(
        with address: String, for state: ButtonState = .normal, placeholder: Image? = nil,
        options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the background for `state` from an address or a path as typed by a person, with a completion as trailing
    /// closure; otherwise as with a URL.
    @discardableResult
    public func setBackgroundImage(
        with address: String, for state: ButtonState = .normal, placeholder: Image? = nil,
        options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        backgroundView(for: state).setImage(
            with: address, placeholder: placeholder, options: options, context: context, completed: completed)
    }
}

// MARK: - The alternate picture

extension ButtonView {
    /// Loads the picture for the checked state of a toggle button from an address or a path as typed by a person;
    /// otherwise as with a URL.
    @discardableResult
    public func setAlternateImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        alternateView.setImage(
            with: address, placeholder: placeholder, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the picture for the checked state of a toggle button from an address or a path as typed by a person, with
    /// a completion as trailing closure; otherwise as with a URL.
    @discardableResult
    public func setAlternateImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        alternateView.setImage(
            with: address, placeholder: placeholder, options: options, context: context, completed: completed)
    }
}
