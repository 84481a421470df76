/// What a load has told so far, and who listens to it.
struct LoadNews {
    var listeners: [LoadEventMailbox] = []
    var progress: LoadProgress?
    /// The latest progress, while somebody is still telling what was before it.
    var untold: LoadProgress?
    /// Somebody is telling progress.
    var isReporting = false
    /// The ending is to be told when they are done.
    var endingWaits = false
    private var cached: LoadResult?
    private var partial: Image?
    private var ending: LoadEnding?

    init() {}

    /// Of a load that has told nothing but its end.
    init(_ ending: LoadEnding) { self.ending = ending }

    mutating func note(_ delivery: DeliveryStateMachine.Delivery) {
        switch delivery {
        case .update(.cached(let result)): cached = result
        case .update(.partial(let image)): partial = image
        case .ending(let ending):
            partial = nil
            self.ending = ending
        }
    }

    mutating func takeEndingWaits() -> Bool {
        defer { endingWaits = false }
        return endingWaits
    }

    /// Tells a listener that has come late what it missed, as far as it still matters.
    func tellSoFar(_ listener: LoadEventMailbox) {
        if let cached { listener.post(.cached(cached)) }
        if let progress { listener.post(.progress(progress)) }
        if let partial { listener.post(.partial(partial)) }
        if let ending { listener.post(ending.outcome) }
    }
}

extension LoadEvent {
    init(_ update: LoadUpdate) {
        switch update {
        case .cached(let result): self = .cached(result)
        case .partial(let image): self = .partial(image)
        }
    }
}
