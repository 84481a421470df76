import FoundationEssentials
import WebImage

extension HighlightableView {
    /// Loads the highlighted picture from an address or a path as typed by a person; otherwise as with a URL.
    @discardableResult
    public func setHighlightedImage(
        with address: String, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: address, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the highlighted picture from an address or a path as typed by a person, with a completion as trailing
    /// closure; otherwise as with a URL.
    @discardableResult
    public func setHighlightedImage(
        with address: String, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: address, options: options, context: context, completed: completed)
    }

    /// Loads the highlighted picture; `setImage` shows it instead of the view.
    @discardableResult
    public func setHighlightedImage(
        with url: URL?, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: url, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the highlighted picture; `setImage` shows it instead of the view. The completion is the trailing closure.
    @discardableResult
    public func setHighlightedImage(
        with url: URL?, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: url, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the highlighted picture from an address or a path as typed by a person; `setImage` shows it instead of the
    /// view.
    @discardableResult
    public func setHighlightedImage(
        with address: String, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: address, options: options, context: context, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads the highlighted picture from an address or a path as typed by a person; `setImage` shows it instead of the
    /// view. The completion is the trailing closure.
    @discardableResult
    public func setHighlightedImage(
        with address: String, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: address, options: options, context: context, setImage: setImage,
            completed: completed)
    }
}
