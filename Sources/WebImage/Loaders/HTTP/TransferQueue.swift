/// Transfers that wait for their turn: the most urgent first, and within a priority by the order asked for.
struct TransferQueue {
    private struct Entry {
        let transfer: SharedTransfer
        let ticket: Int
    }

    private struct Level {
        var entries: [Entry] = []
        var head = 0

        mutating func pop(_ order: WebImageDownloaderConfig.ExecutionOrder) -> Entry? {
            guard head < entries.count else {
                entries.removeAll(keepingCapacity: true)
                head = 0
                return nil
            }
            if order == .lastInFirstOut { return entries.removeLast() }
            defer { compact() }
            return entries[head]
        }

        private mutating func compact() {
            head += 1
            guard head > 64, head > entries.count / 2 else { return }
            entries.removeFirst(head)
            head = 0
        }
    }

    private var levels = LoadPriority.allCases.map { _ in Level() }
    private var lastTicket = 0

    /// Puts `transfer` in, or moves it to the end of its present priority.
    mutating func push(_ transfer: SharedTransfer) {
        lastTicket += 1
        transfer.queueTicket = lastTicket
        levels[transfer.priority.rawValue].entries.append(Entry(transfer: transfer, ticket: lastTicket))
    }

    /// The next transfer. Those that were moved or left since they were put in are passed over.
    mutating func pop(_ order: WebImageDownloaderConfig.ExecutionOrder) -> SharedTransfer? {
        for level in levels.indices.reversed() {
            while let entry = levels[level].pop(order) {
                guard entry.transfer.queueTicket == entry.ticket else { continue }
                entry.transfer.queueTicket = nil
                return entry.transfer
            }
        }
        return nil
    }
}
