/// Where a load's picture comes from.
enum LoadSource {
    /// Stages that it may share with others, and its number among those who wait for them.
    case stages(any JoinedLoad, UInt64)
    /// An interceptor that has taken the load over.
    case interceptor(any ImageLoadTask)
    /// The load that this one, which was prepared before it could begin, has become.
    case load(LoadOperation)

    func leave() {
        switch self {
        case .stages(let load, let number): load.leave(number)
        case .interceptor(let load): load.cancel()
        case .load(let load): load.cancel()
        }
    }

    func setPriority(_ priority: LoadPriority) {
        switch self {
        case .stages(let load, let number): load.setPriority(priority, of: number)
        case .interceptor(let load): load.setPriority(priority)
        case .load(let load): load.setPriority(priority)
        }
    }
}

/// What several loads wait for together, each by a number of its own.
protocol JoinedLoad: AnyObject, Sendable {
    /// The load of that number wants nothing more.
    func leave(_ number: UInt64)

    func setPriority(_ priority: LoadPriority, of number: UInt64)
}
