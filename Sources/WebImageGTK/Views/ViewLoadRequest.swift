import FoundationEssentials
import WebImage

/// One call of a view's `setImage`, and what it has led to so far.
struct ViewLoadRequest {
    let slot: PictureSlot
    let url: URL?
    let placeholder: Image?
    let options: WebImageOptions
    let context: WebImageContext
    let progress: (@Sendable (LoadProgress) -> Void)?
    let completed: ((Result<LoadResult, WebImageError>) -> Void)?
    /// nil before the manager was asked, and after it answered at once.
    var operation: LoadOperation?
}
