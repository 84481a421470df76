import Synchronization

/// Work that runs once for all who want it at the same time: transfers, reads, decodes, transforms, whole loads.
///
/// It has the highest priority of its subscribers. It is over when it has ended or the last of them has left, and no
/// other joins it then. Tasks do it, one after the other. `State` is what its owner keeps of it under the same lock.
// Inlinable with all that it has: unspecialized, it is twenty times slower. Where a type of package access is not usable from
// inline code, the compiler takes no notice of its inlinable functions.
@usableFromInline package struct SharedWork<Subscriber: Sendable, State: Sendable>: ~Copyable, Sendable {
    @usableFromInline package struct Content: Sendable {
        @usableFromInline package var state: State
        @usableFromInline var waiting = Subscribers<Subscriber>()
        @usableFromInline var isOver = false
        /// The task that does the work now, and the number of tasks so far: an answer may come before its task is known.
        @usableFromInline var task: (any CancellableTask)?
        @usableFromInline var taskCount = 0

        @inlinable init(_ state: State) { self.state = state }

        @inlinable package var subscribers: Subscribers<Subscriber> { waiting }
    }

    @usableFromInline let content: Mutex<Content>

    @inlinable package init(_ state: State) { content = Mutex(Content(state)) }

    @inlinable package var isOver: Bool { withLock { $0.isOver } }

    @inlinable package func withLock<Result: Sendable>(_ body: (inout Content) -> Result) -> Result {
        content.withLock { body(&$0) }
    }

    // MARK: Subscribers

    /// Adds a subscriber.
    ///
    /// - Parameter look: Called within the lock: the subscriber gets all that follows on what it returns.
    /// - Returns: The number of the subscriber, 1 for the first, with what `look` has returned; nil when the work is over.
    @inlinable package func join<News: Sendable>(
        _ subscriber: Subscriber, priority: LoadPriority, look: (State) -> News
    ) -> (number: UInt64, news: News)? {
        let joined: (number: UInt64, news: News, isMoreUrgent: Bool)? = withLock { content in
            guard !content.isOver else { return nil }
            let isMoreUrgent = priority > content.waiting.priority
            let number = content.waiting.add(subscriber, priority: priority)
            return (number, look(content.state), isMoreUrgent)
        }
        guard let joined else { return nil }
        if joined.isMoreUrgent { tellPriority() }
        return (joined.number, joined.news)
    }

    /// Adds a subscriber, and returns its number, 1 for the first; nil when the work is over.
    @inlinable package func join(_ subscriber: Subscriber, priority: LoadPriority) -> UInt64? {
        join(subscriber, priority: priority) { _ in }?.number
    }

    /// Removes a subscriber. With the last of them the work is over, and its task is cancelled.
    ///
    /// - Parameter abandon: Called within the lock where it was the last.
    /// - Returns: What `abandon` has returned; nil where the work goes on, or was over before.
    @inlinable package func leave<Outcome: Sendable>(_ number: UInt64, abandon: (inout State) -> Outcome) -> Outcome? {
        // A removed subscriber is released outside the lock: it may hold the last reference to an object of the app that
        // calls this work again.
        let (left, abandoned, isLessUrgent) = withLock { content in
            content.remove(number, abandon: abandon)
        }
        if isLessUrgent { tellPriority() }
        abandoned?.task?.cancel()
        withExtendedLifetime(left) {}
        return abandoned?.outcome
    }

    @inlinable package func setPriority(_ priority: LoadPriority, of number: UInt64) {
        let hasChanged = withLock { content in
            let before = content.waiting.priority
            content.waiting.setPriority(priority, of: number)
            return content.waiting.priority != before
        }
        if hasChanged { tellPriority() }
    }

    // MARK: Tasks

    /// Starts a task in place of the one before, unless the work is over. It is cancelled if the work is over, or has
    /// gone on, before it is known.
    @inlinable package func run(_ start: (LoadPriority) -> any CancellableTask) {
        let begun = withLock { $0.isOver ? nil : ($0.nextTask(), $0.subscribers.priority, $0.task.take()) }
        // The former task belongs to another owner: it is released outside the lock.
        guard let (number, priority, _) = begun else { return }
        let task = start(priority)
        let isCurrent = withLock { content in
            guard content.taskCount == number, !content.isOver else { return false }
            content.task = task
            return true
        }
        guard isCurrent else { return task.cancel() }
        // The priority may have changed before the task was known.
        tellPriority(known: priority)
    }

    /// Cancels the current task, also where it is not known yet. The work goes on.
    @inlinable package func cancelTask() {
        let task = withLock { content in
            _ = content.nextTask()
            return content.task.take()
        }
        task?.cancel()
    }

    /// Ends the work, and returns its subscribers, which are to be told.
    @inlinable package func end() -> [Subscriber] { finish().subscribers }

    /// Ends the work, cancels its task, and returns its subscribers, which are to be told.
    @inlinable package func cancel() -> [Subscriber] {
        let (subscribers, task) = finish()
        task?.cancel()
        return subscribers
    }

    @inlinable func finish() -> (subscribers: [Subscriber], task: (any CancellableTask)?) {
        withLock { content in
            content.isOver = true
            return (content.waiting.removeAll().map(\.subscriber), content.task.take())
        }
    }

    @inlinable func tellPriority(known: LoadPriority? = nil) {
        content.tellPriority(known: known) { content in
            content.waiting.isEmpty ? nil : content.task.map { ($0, content.waiting.priority) }
        } tell: {
            $0.setPriority($1)
        }
    }
}

extension SharedWork.Content {
    @inlinable mutating func nextTask() -> Int {
        taskCount += 1
        return taskCount
    }

    @usableFromInline typealias Abandoned<Outcome> = (outcome: Outcome, task: (any CancellableTask)?)

    @inlinable mutating func remove<Outcome>(
        _ number: UInt64, abandon: (inout State) -> Outcome
    ) -> (left: Subscriber?, abandoned: Abandoned<Outcome>?, isLessUrgent: Bool) {
        let before = waiting.priority
        let left = waiting.remove(number)
        guard left != nil, waiting.isEmpty else { return (left, nil, waiting.priority != before) }
        isOver = true
        return (left, (abandon(&state), task.take()), false)
    }
}

extension Mutex where Value: Sendable {
    /// Tells the task that does some work the latest priority of the work.
    ///
    /// - Parameters:
    ///   - known: The priority that the task has got already.
    ///   - latest: The task and the priority; nil where there is nothing to tell.
    @inlinable package func tellPriority<Task: Sendable>(
        known: LoadPriority? = nil, _ latest: (Value) -> (Task, LoadPriority)?, tell: (Task, LoadPriority) -> Void
    ) {
        // Repeated if another thread has changed it meanwhile: the last priority told must be the last one set.
        var told = known
        while let (task, wanted) = withLock({ latest($0) }), wanted != told {
            tell(task, wanted)
            told = wanted
        }
    }
}
