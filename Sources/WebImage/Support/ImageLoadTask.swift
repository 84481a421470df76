/// A load that a loader has under way.
public protocol ImageLoadTask: CancellableTask {
    /// Changes how urgently the bytes are wanted; without effect where the loader cannot.
    func setPriority(_ priority: LoadPriority)
}
