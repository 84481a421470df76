extension LoadPriority {
    /// How urgent a view's load is: nobody waits for what nobody sees, and what is seen comes before what is loaded ahead.
    ///
    /// Between views that are seen, what the app asked for still counts.
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
    /// Whether the app said that the load is in no hurry: it may wait until a scroller slows down.
    package var isPatient: Bool { priority == .low }
}
