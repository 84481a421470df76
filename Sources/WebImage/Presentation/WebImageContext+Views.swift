/// What only views look at; it is taken out of the context before their manager is called.
extension WebImageContext {
    private enum ManagerKey: Key {
        typealias Value = WebImageManager
    }

    private enum ErrorImageKey: Key {
        typealias Value = Image
    }

    /// Views: the manager that loads; the shared one by default. Managers themselves do not look at it.
    public var imageManager: WebImageManager? {
        get { self[ManagerKey.self] }
        set { self[ManagerKey.self] = newValue }
    }

    /// Views: what is shown when there is no picture because the load failed; nil leaves the placeholder, or with
    /// ``WebImageOptions/delayPlaceholder`` shows it then. A load that is cancelled has not failed.
    public var errorImage: Image? {
        get { self[ErrorImageKey.self] }
        set { self[ErrorImageKey.self] = newValue }
    }

    /// What a manager gets: nothing that concerns only views, least of all the manager itself.
    ///
    /// - Parameters:
    ///   - key: The load's, for whoever would like to know.
    ///   - box: What the picture is to be decoded for, where the app has not said it.
    func forManager(key: ViewLoadKey, callbackQueue: CallbackQueue, box: DecodeBox?) -> WebImageContext {
        let variant = Variant.view(
            operationKey: key.name, thumbnailPixelSize: box?.size, coversThumbnailBox: box?.isCovered)
        var context = made(for: variant) { values in
            values.setImageOperationKey = key.name
            if let box {
                values.imageThumbnailPixelSize = box.size
                values.imageCoversThumbnailBox = box.isCovered
            }
            values.own[ObjectIdentifier(ManagerKey.self)] = nil
            values.own[ObjectIdentifier(ErrorImageKey.self)] = nil
        }
        context.callbackQueue = callbackQueue
        return context
    }
}
