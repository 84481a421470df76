import WebImageCore

/// The latest events of a load, one of each kind, and its end: all that a listener needs that was not there before, or was
/// too slow.
struct LatestEvents: Sendable {
    /// In the order in which they are told.
    private(set) var events: [LoadEvent] = []
    private(set) var ending: LoadEnding?

    init() {}

    /// Of a load that has told nothing but its end.
    init(_ ending: LoadEnding) { self.ending = ending }

    var isEmpty: Bool { events.isEmpty }

    var progress: LoadProgress? {
        for case .progress(let progress) in events { return progress }
        return nil
    }

    /// - Returns: Whether the event has taken the place of an older one of its kind.
    @discardableResult
    mutating func add(_ event: LoadEvent) -> Bool {
        let place = events.firstIndex { $0.rank >= event.rank } ?? events.endIndex
        guard place < events.endIndex, events[place].rank == event.rank else {
            events.insert(event, at: place)
            return false
        }
        events[place] = event
        return true
    }

    /// Drops the events that are of no use beside the end: a partial picture, and a preview where there is a picture.
    mutating func end(_ ending: LoadEnding) {
        events.removeAll { $0.isOfNoUse(beside: ending) }
        self.ending = ending
    }

    /// Takes the event that is told first.
    mutating func takeFirst() -> LoadEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Drops what a transfer has brought so far, which begins anew.
    mutating func removeTransfer() { events.removeAll { $0.isOfTransfer } }

    mutating func removeAll() { events = [] }
}

extension LoadEvent {
    fileprivate var rank: Int {
        switch self {
        case .cached: 0
        case .preview: 1
        case .progress: 2
        case .partial: 3
        case .finished: 4
        }
    }

    fileprivate var isOfTransfer: Bool {
        switch self {
        case .progress, .partial: true
        case .cached, .preview, .finished: false
        }
    }

    fileprivate func isOfNoUse(beside ending: LoadEnding) -> Bool {
        switch self {
        case .cached, .progress, .finished: false
        case .preview: !ending.isFailure
        case .partial: true
        }
    }
}
