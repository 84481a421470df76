extension WebImageContext {
    private enum ManagerKey: Key {
        typealias Value = WebImageManager
    }

    /// Views: the manager that loads; the shared one by default. Managers themselves do not look at it.
    public var imageManager: WebImageManager? {
        get { self[ManagerKey.self] }
        set { self[ManagerKey.self] = newValue }
    }
}
