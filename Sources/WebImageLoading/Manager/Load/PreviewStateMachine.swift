import WebImageCore

/// The rules of a load with a preview, without the two loads: the small picture is delivered only as long as nothing of the
/// large one has come, and the load ends as that of the large one does.
struct PreviewStateMachine {
    enum Picture: Sendable {
        case small, large
    }

    /// An event of one of the two loads, or of the caller.
    enum Event {
        /// The load of the small picture has ended.
        case smallEnded(Result<LoadResult, WebImageError>)
        /// Something of the large picture has come: the cached one, or a part of it.
        case updated(LoadEvent)
        /// The load of the large picture has ended.
        case largeEnded(LoadEnding)
        /// The caller has cancelled the load.
        case cancelled
    }

    /// The action that follows an event.
    enum Action: Sendable {
        case cancel(Picture)
        case tell(LoadEvent)
        case finish(LoadEnding)
    }

    enum State {
        /// Both pictures may still come.
        case both
        /// The small picture has come, has failed, or is of no use any more.
        case largeAlone
        /// The large picture has failed, and the small one may still come: it is better than none.
        case smallAlone(LoadEnding)
        case ended
    }

    private(set) var state = State.both

    /// Whether a picture is waited for.
    func awaits(_ picture: Picture) -> Bool {
        switch state {
        case .both: true
        case .largeAlone: picture == .large
        case .smallAlone: picture == .small
        case .ended: false
        }
    }

    /// The actions for an event, in order. An event for a picture that is not waited for has no effect.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.both, .smallEnded(let result)): move(to: .largeAlone, preview(result))
        case (.smallAlone(let ending), .smallEnded(let result)): move(to: .ended, preview(result) + [.finish(ending)])
        case (.both, .updated(let update)): move(to: .largeAlone, [.cancel(.small), .tell(update)])
        case (.largeAlone, .updated(let update)): [.tell(update)]
        case (.both, .largeEnded(let ending)) where ending.isFailure && !ending.isCancellation:
            move(to: .smallAlone(ending), [])
        case (.both, .largeEnded(let ending)): move(to: .ended, [.cancel(.small), .finish(ending)])
        case (.largeAlone, .largeEnded(let ending)): move(to: .ended, [.finish(ending)])
        case (.both, .cancelled): move(to: .ended, [.cancel(.small), .cancel(.large)])
        case (.largeAlone, .cancelled): move(to: .ended, [.cancel(.large)])
        case (.smallAlone, .cancelled): move(to: .ended, [.cancel(.small)])
        default: []
        }
    }

    private mutating func move(to state: State, _ actions: [Action]) -> [Action] {
        self.state = state
        return actions
    }

    /// The failure of a small picture is silent.
    private func preview(_ result: Result<LoadResult, WebImageError>) -> [Action] {
        guard case .success(let result) = result else { return [] }
        return [.tell(.preview(result))]
    }
}

extension LoadEnding {
    fileprivate var isCancellation: Bool {
        if case .failure(let error) = outcome { error.isCancelled } else { false }
    }
}
