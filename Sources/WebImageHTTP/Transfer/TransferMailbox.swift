import FoundationEssentials
import Synchronization
import WebImageCore

/// A command for the transfer thread.
enum TransferCommand: Sendable {
    case load(DownloadTask)
    case cancel(DownloadTask)
    case prioritize(DownloadTask, LoadPriority)
    case cancelAll
    /// The result of a decryptor, by the number of the decryption.
    case decrypted(UInt64, Data?)
    /// The exchange of that number has events of an app's download operation.
    case operationNews(UInt64)
    case suspend(Bool)
    case configure(WebImageDownloaderConfig)
    case stop
}

/// The only way to the transfer thread: any thread posts a command, and the transfer thread takes it. It is woken once
/// per batch, and only while it sleeps.
final class TransferMailbox: Sendable {
    private struct State {
        var commands: [TransferCommand] = []
        var sleeper: CurlWaker?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let loads = Atomic<Int>(0)

    /// Loads that have begun and not ended.
    var loadCount: Int { loads.load(ordering: .acquiring) }

    func loadBegan() { loads.add(1, ordering: .acquiringAndReleasing) }

    func loadEnded() { loads.subtract(1, ordering: .acquiringAndReleasing) }

    /// Posts a command; without effect after ``close()``.
    func post(_ command: TransferCommand) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.commands.append(command)
            // Under the lock, so that the handle cannot be freed in between; the call writes a byte and never blocks.
            state.sleeper?.wake()
            state.sleeper = nil
        }
    }

    /// Moves the posted commands into `commands`, which must be empty and whose storage is used for the next batch.
    func take(into commands: inout [TransferCommand]) {
        state.withLock { state in
            swap(&state.commands, &commands)
            state.sleeper = nil
        }
    }

    /// Whether the thread may sleep, to be woken by `waker`; false when a command was posted meanwhile.
    func mayFallAsleep(_ waker: CurlWaker) -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.sleeper = waker
            return true
        }
    }

    /// Accepts no more commands and wakes no thread from now on.
    func close() -> [TransferCommand] {
        state.withLock { state in
            state.isClosed = true
            state.sleeper = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
