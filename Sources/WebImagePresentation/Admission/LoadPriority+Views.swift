import WebImageCore

extension LoadPriority {
    /// The priority of a view's load: visible views come before invisible ones and before prefetching.
    ///
    /// Between visible views, the app's options decide.
    package init(inView options: WebImageOptions, isSeen: Bool) {
        switch options.priority {
        case _ where !isSeen: self = .low
        case .low: self = .normal
        case .normal: self = .high
        case .high, .veryHigh: self = .veryHigh
        }
    }
}

extension WebImageOptions {
    /// Whether the app has set a low priority: the load may wait until a scroller slows down.
    package var isPatient: Bool { priority == .low }
}
