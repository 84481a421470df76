import WebImageCore
import WebImageLoading

/// Context values for views; they are removed before the manager gets the context.
extension WebImageContext {
    private enum ManagerKey: Key {
        typealias Value = WebImageManager
    }

    private enum ErrorImageKey: Key {
        typealias Value = Image
    }

    /// For views: the manager of the load; the shared one by default. Managers ignore it.
    public var manager: WebImageManager? {
        get { self[ManagerKey.self] }
        set { self[ManagerKey.self] = newValue }
    }

    /// For views: the picture shown when the load failed; nil leaves the placeholder, or with
    /// ``WebImageOptions/delayPlaceholder`` shows it then. A cancellation is not a failure.
    public var errorImage: Image? {
        get { self[ErrorImageKey.self] }
        set { self[ErrorImageKey.self] = newValue }
    }

    /// The context for a manager: without the values for views, in particular without the manager itself.
    ///
    /// - Parameters:
    ///   - key: The load's key, for interceptors and listeners.
    ///   - box: The decode size, where the app has not set one.
    func forManager(key: ViewLoadKey, callbackQueue: CallbackQueue, box: DecodeBox?) -> WebImageContext {
        let variant = Variant.view(
            operationKey: key.name, thumbnailPixelSize: box?.size, coversThumbnailBox: box?.isCovered)
        var context = made(for: variant) { values in
            values.operationKey = key.name
            if let box {
                values.decodeOptions.thumbnailPixelSize = box.size
                values.decodeOptions.coversThumbnailBox = box.isCovered
            }
            values.own[ObjectIdentifier(ManagerKey.self)] = nil
            values.own[ObjectIdentifier(ErrorImageKey.self)] = nil
        }
        context.callbackQueue = callbackQueue
        return context
    }
}
