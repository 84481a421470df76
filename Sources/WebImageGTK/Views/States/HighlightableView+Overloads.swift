import FoundationEssentials
import WebImage

extension HighlightableView {
    /// Loads the picture for being highlighted of an address or a path as a person writes it; all else as with a URL.
    @discardableResult
    public func setHighlightedImage(
        with address: String, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: address, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the picture for being highlighted of an address or a path as a person writes it, with a completion as
    /// trailing closure; all else as with a URL.
    @discardableResult
    public func setHighlightedImage(
        with address: String, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: address, options: options, context: context, completed: completed)
    }

    /// Loads the picture for being highlighted and lets `setImage` show it in place of the view.
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

    /// Loads the picture for being highlighted and lets `setImage` show it in place of the view, with a completion as
    /// trailing closure.
    @discardableResult
    public func setHighlightedImage(
        with url: URL?, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: url, options: options, context: context, setImage: setImage,
            completed: completed)
    }

    /// Loads the picture for being highlighted of an address or a path as a person writes it and lets `setImage` show
    /// it in place of the view.
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

    /// Loads the picture for being highlighted of an address or a path as a person writes it and lets `setImage` show
    /// it in place of the view, with a completion as trailing closure.
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
