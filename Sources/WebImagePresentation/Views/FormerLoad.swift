import FoundationEssentials
import WebImageCore

/// The values of a place's latest load, for making it again. Its closures belong to that load alone.
@MainActor
package struct FormerLoad<View> {
    private let url: URL?
    private let refusal: WebImageError?
    private let placeholder: Image?
    private let transition: WebImageTransition<View>?
    private let options: WebImageOptions
    private let context: WebImageContext

    init(_ request: ViewLoadRequest<View>) {
        url = request.url
        refusal = request.refusal
        placeholder = request.placeholder
        transition = request.transition
        options = request.options
        context = request.context
    }

    /// The same load for `view`, with more options.
    package func request(
        for view: View, at place: ViewLoadKey, adding more: WebImageOptions,
        progress: ViewLoadRequest<View>.Progress? = nil, completed: ViewLoadRequest<View>.Completion? = nil
    ) -> ViewLoadRequest<View> {
        let request = ViewLoadRequest(
            view: view, place: place, url: url, placeholder: placeholder, transition: transition,
            options: options.union(more), context: context, progress: progress, completed: completed)
        request.refusal = refusal
        request.former = self
        return request
    }
}
