import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Manager", .timeLimit(.minutes(5)))
struct WebImageManagerTests {
    let loader = SuspendedLoader()
    let cache = SuspendedCache()
    let coder = ScriptedCoder()

    var manager: WebImageManager { WebImageManager(cache: cache, loader: loader, coder: coder) }

    static func address(_ name: String) throws -> URL { try #require(URL(string: "http://host/\(name)")) }

    static var inline: WebImageContext {
        var context = WebImageContext()
        context.callbackQueue = .current
        return context
    }

    @discardableResult
    func start(
        _ url: URL?, with manager: WebImageManager, options: WebImageOptions = [],
        context: WebImageContext = inline, into recorder: LoadRecorder
    ) -> LoadOperation {
        manager.load(
            url, options: options, context: context, progress: recorder.progressed, completed: recorder.completed)
    }

    static func picture() throws(WebImageError) -> Image {
        Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255]))
    }
}
