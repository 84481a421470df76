import Synchronization
import WebImageCore

/// One operation on several caches, one after the other or concurrently, until one has the answer or all have answered.
///
/// It calls back once: with the final answer, with the combined answers, or because it was cancelled. Caches that are
/// still at work then are cancelled.
final class CachesOperation<Answer: Sendable>: CancellableTask {
    typealias Completion = @Sendable (Answer) -> Void
    /// Starts the operation in one cache, which calls back once.
    typealias Ask = @Sendable (any ImageCaching, @escaping Completion) -> (any CancellableTask)?

    /// How answers are combined.
    struct Rules: Sendable {
        /// The result without any cache.
        var none: Answer
        /// The result for a cancelled operation.
        var cancelled: Answer
        /// Whether no other cache needs to be asked.
        var isFinal: @Sendable (Answer) -> Bool
        /// Whether an answer that is not final says more than `none`: the first such answer is the result.
        var isWorthKeeping: @Sendable (Answer) -> Bool
    }

    private struct State {
        var waiting: ArraySlice<any ImageCaching>
        /// The caches that have begun and have not answered, by number.
        var underWay: Set<Int> = []
        var tasks: [Int: any CancellableTask] = [:]
        var lastNumber = 0
        /// The priority that was set since the beginning.
        var priority: LoadPriority?
        var answer: Answer?
        /// nil when it is over.
        var completion: Completion?

        mutating func next() -> (number: Int, cache: any ImageCaching)? {
            guard completion != nil, let cache = waiting.popFirst() else { return nil }
            lastNumber += 1
            underWay.insert(lastNumber)
            return (lastNumber, cache)
        }
    }

    private let rules: Rules
    private let ask: Ask
    private let state: Mutex<State>

    init(_ caches: [any ImageCaching], rules: Rules, ask: @escaping Ask, completion: @escaping Completion) {
        self.rules = rules
        self.ask = ask
        state = Mutex(State(waiting: caches[...], completion: completion))
    }

    /// Begins with the first `width` caches.
    func start(width: Int) {
        for _ in 0..<width { askNext() }
        endIfDone()
    }

    /// Whether it has called back.
    var isOver: Bool { state.withLock { $0.completion == nil } }

    func cancel() { end(rules.cancelled) }

    func setPriority(_ priority: LoadPriority) {
        let tasks = state.withLock { state in
            state.priority = priority
            return Array(state.tasks.values)
        }
        for task in tasks { task.setPriority(priority) }
    }

    private func askNext() {
        guard let (number, cache) = state.withLock({ $0.next() }) else { return }
        guard let task = ask(cache, { self.receive($0, number) }) else { return }
        let isUnderWay = state.withLock { state in
            guard state.underWay.contains(number) else { return false }
            state.tasks[number] = task
            return true
        }
        // The cache has answered, which a cancellation does not change, or the operation is over.
        if !isUnderWay { return task.cancel() }
        if let priority = state.withLock({ $0.priority }) { task.setPriority(priority) }
    }

    private func receive(_ answer: Answer, _ number: Int) {
        let isWorthKeeping = rules.isWorthKeeping(answer)
        let (isAwaited, task) = state.withLock { state in
            guard state.underWay.remove(number) != nil else { return (false, nil as (any CancellableTask)?) }
            if isWorthKeeping, state.answer == nil { state.answer = answer }
            return (true, state.tasks.removeValue(forKey: number))
        }
        // Released outside the lock: it belongs to the cache.
        withExtendedLifetime(task) {}
        guard isAwaited else { return }
        if rules.isFinal(answer) { return end(answer) }
        askNext()
        endIfDone()
    }

    private func endIfDone() {
        let answer: Answer?? = state.withLock { $0.waiting.isEmpty && $0.underWay.isEmpty ? .some($0.answer) : nil }
        if let answer { end(answer ?? rules.none) }
    }

    private func end(_ answer: Answer) {
        let (completion, tasks) = state.withLock { state in
            defer {
                state.completion = nil
                state.underWay = []
                state.tasks = [:]
                state.waiting = []
            }
            return (state.completion, Array(state.tasks.values))
        }
        guard let completion else { return }
        for task in tasks { task.cancel() }
        completion(answer)
    }
}
