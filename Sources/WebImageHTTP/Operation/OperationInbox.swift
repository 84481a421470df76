import Synchronization
import WebImageCore

/// The events of an app's download operation on their way to the transfer thread. Any thread adds to it.
final class OperationInbox: Sendable {
    /// The number of the exchange.
    let number: UInt64
    private let mailbox: TransferMailbox
    private let state = Mutex(State())

    private struct State {
        var events: [DownloadOperationEvent] = []
        var isClosed = false
    }

    init(number: UInt64, mailbox: TransferMailbox) {
        self.number = number
        self.mailbox = mailbox
    }

    /// Adds `event`; without effect after the end, and after ``close()``.
    func add(_ event: DownloadOperationEvent) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            if case .finished = event { state.isClosed = true }
            state.events.append(event)
            return state.events.count == 1
        }
        if isFirst { mailbox.post(.operationNews(number)) }
    }

    func take() -> [DownloadOperationEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Takes no events any more. The events that are left are released outside of the lock.
    func close() {
        _ = state.withLock { state in
            state.isClosed = true
            defer { state.events = [] }
            return state.events
        }
    }
}
