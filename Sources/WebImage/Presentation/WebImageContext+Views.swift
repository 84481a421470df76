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
}
