import FoundationEssentials
import WebImage

// The completion of SDWebImage, so that its calls mean here what they mean there.
extension ButtonView {
    /// Loads the picture for `state`, and calls back as SDWebImage does.
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, for state: ButtonState, placeholder: Image? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil,
        completed: @escaping ExternalCompletion
    ) -> LoadOperation? {
        imageView(for: state).load(
            address, placeholder, transformer, transition, options, context, progress: progress,
            completed: completion(calling: completed, of: address))
    }

    /// Loads the background for `state`, and calls back as SDWebImage does.
    @discardableResult
    public func setBackgroundImage(
        with address: (any ImageAddress)?, for state: ButtonState = .normal, placeholder: Image? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil,
        completed: @escaping ExternalCompletion
    ) -> LoadOperation? {
        backgroundView(for: state).load(
            address, placeholder, transformer, transition, options, context, progress: progress,
            completed: completion(calling: completed, of: address))
    }

    /// Loads the alternate picture, and calls back as SDWebImage does.
    @discardableResult
    public func setAlternateImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, transformer: (any ImageTransformer)? = nil,
        transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil,
        completed: @escaping ExternalCompletion
    ) -> LoadOperation? {
        alternateView.load(
            address, placeholder, transformer, transition, options, context, progress: progress,
            completed: completion(calling: completed, of: address))
    }
}
