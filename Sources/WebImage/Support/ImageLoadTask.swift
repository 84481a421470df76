/// A running load of a loader.
public protocol ImageLoadTask: CancellableTask {
    /// Changes the priority of the load; without effect where the loader has none.
    func setPriority(_ priority: LoadPriority)
}
