extension Array where Element: Sendable {
    /// Processes all elements, at most `limit` at a time and in this order, until the calling task is cancelled.
    ///
    /// - Parameter receive: Gets each element's outcome as it arrives.
    func forEachConcurrently<Outcome: Sendable>(
        limit: Int, _ work: @escaping @Sendable (Element) async -> Outcome, receive: (Element, Outcome) -> Void
    ) async {
        await withTaskGroup(of: (Element, Outcome).self) { group in
            var waiting = makeIterator()
            func startNext() {
                guard !Task.isCancelled, let element = waiting.next() else { return }
                group.addTask { (element, await work(element)) }
            }
            for _ in 0..<limit { startNext() }
            for await (element, outcome) in group {
                receive(element, outcome)
                startNext()
            }
        }
    }
}
