import WebImageCore

/// The events of a load so far, and its listeners.
struct LoadNews {
    var listeners: [LoadEventMailbox] = []
    var progress: LoadProgress?
    /// The latest progress, while a thread still delivers the one before.
    var untold: LoadProgress?
    /// Whether a thread delivers progress.
    var isReporting = false
    /// Whether the end waits for that thread.
    var endingWaits = false
    private var cached: LoadResult?
    private var preview: LoadResult?
    private var partial: Image?
    private var ending: LoadEnding?

    init() {}

    /// Of a load that has told nothing but its end.
    init(_ ending: LoadEnding) { self.ending = ending }

    mutating func note(_ delivery: DeliveryStateMachine.Delivery) {
        switch delivery {
        case .update(.cached(let result)): cached = result
        case .update(.preview(let result)): preview = result
        case .update(.partial(let image)): partial = image
        case .ending(let ending):
            partial = nil
            if !ending.isFailure { preview = nil }
            self.ending = ending
        }
    }

    /// Whether half of the bytes have been received, or any where their number is unknown.
    var hasMostBytes: Bool {
        guard let progress, progress.receivedByteCount > 0 else { return false }
        return progress.fractionCompleted.map { $0 >= 0.5 } ?? true
    }

    mutating func takeEndingWaits() -> Bool {
        defer { endingWaits = false }
        return endingWaits
    }

    /// Delivers the current state to a listener that joins late, as far as it still matters.
    func tellSoFar(_ listener: LoadEventMailbox) {
        if let cached { listener.post(.cached(cached)) }
        if let preview { listener.post(.preview(preview)) }
        if let progress { listener.post(.progress(progress)) }
        if let partial { listener.post(.partial(partial)) }
        if let ending { listener.post(ending.outcome) }
    }
}

extension LoadEvent {
    init(_ update: LoadUpdate) {
        switch update {
        case .cached(let result): self = .cached(result)
        case .preview(let result): self = .preview(result)
        case .partial(let image): self = .partial(image)
        }
    }
}
