import Foundation
import WebImage
import WebImageGTK

// A view's code as an app outside of the package may write it: only the public API.
extension PictureView {
    func loadWithFadeOfOurOwn(_ url: URL, context: WebImageContext) {
        setImage(with: url, options: .lowPriority, context: context) { result in
            // A picture from a cache shows at once, as in SDWebImage's article.
            guard case .success(let success) = result, success.cacheType == .noCache else { return }
            fadeFromPreviousContent(duration: .seconds(0.3), timing: .linear)
        }
    }
}
