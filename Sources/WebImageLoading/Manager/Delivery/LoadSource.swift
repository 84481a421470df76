import WebImageCore

/// The source of a load's picture.
enum LoadSource {
    /// Stages that it may share with other loads, and its number among the loads that wait for them.
    case stages(any JoinedLoad, UInt64)
    /// An interceptor that has taken the load over, or the two loads of one with a preview.
    case interceptor(any CancellableTask)

    func leave() {
        switch self {
        case .stages(let load, let number): load.leave(number)
        case .interceptor(let load): load.cancel()
        }
    }

    func setPriority(_ priority: LoadPriority) {
        switch self {
        case .stages(let load, let number): load.setPriority(priority, of: number)
        case .interceptor(let load): load.setPriority(priority)
        }
    }
}

/// Work that several loads wait for, each with its own number.
protocol JoinedLoad: AnyObject, Sendable {
    /// Removes the load of that number, which has ended.
    func leave(_ number: UInt64)

    func setPriority(_ priority: LoadPriority, of number: UInt64)
}
