import Synchronization
import WebImageCore

/// A server of the ring: its idle connections, and whether it is left out. Any thread.
final class MemcachedNode: Sendable {
    let server: MemcachedServer

    private struct State {
        var idle: [MemcachedConnection] = []
        /// Failures without an answer between them.
        var failureCount = 0
        /// Until when nothing is asked of it.
        var pauseEnd: ContinuousClock.Instant?
        /// Changes that it has not heard of, by the names of their entries: they come before anything else.
        var owed: [String: Owed] = [:]
        /// Changes so far.
        var changeCount = 0
    }

    private struct Owed {
        let command: MetaCommand
        /// Two changes of one entry may have equal commands: something may have been stored between them.
        let number: Int
    }

    private let settings: MemcachedSettings
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// More are closed: an app has about as many as it has threads.
    private static let maximumIdleCount = 16

    /// - Parameter now: The time, by which pauses end.
    init(
        _ server: MemcachedServer, _ settings: MemcachedSettings, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.server = server
        self.settings = settings
        self.now = now
    }

    /// The answers to commands. Waits for them, within the time-out.
    func exchange(_ commands: [MetaCommand]) throws(MemcachedFailure) -> [MetaReply] {
        let owed = try state.withLock { state throws(MemcachedFailure) in
            if let end = state.pauseEnd, now() < end { throw .leftOut }
            return state.owed
        }
        do throws(MemcachedFailure) {
            let replies = try exchangeNow(owed.map(\.value.command) + commands)
            noteAnswer(to: owed)
            return Array(replies.dropFirst(owed.count))
        } catch {
            note(error)
            throw error
        }
    }

    /// Makes a change that must not get lost: a server that cannot hear of it now does so before it is asked again.
    ///
    /// - Parameters:
    ///   - key: The entry that is changed. A later change of it replaces an earlier one.
    ///   - everything: The change that stands for all others, once there are too many to remember.
    func change(_ key: String, by command: MetaCommand, orElse everything: (key: String, command: MetaCommand))
        throws(MemcachedFailure)
    {
        state.withLock { state in
            state.changeCount += 1
            if state.owed.count >= settings.maximumOwedCount {
                state.owed = [everything.key: Owed(command: everything.command, number: 0)]
            }
            state.owed[key] = Owed(command: command, number: state.changeCount)
        }
        _ = try exchange([])
    }

    private func exchangeNow(_ commands: [MetaCommand]) throws(MemcachedFailure) -> [MetaReply] {
        guard !commands.isEmpty else { return [] }
        if let idle = state.withLock({ $0.idle.popLast() }) {
            do throws(MemcachedFailure) {
                return try exchange(commands, on: idle)
            } catch {
                // It may have ended with the server that it was made to, and all others with it.
                guard case .unreachable = error else { throw error }
                state.withLock { $0.idle = [] }
            }
        }
        return try exchange(
            commands,
            on: MemcachedConnection(
                to: server, by: .now + settings.timeout, longestValue: settings.maximumByteCount + 1024))
    }

    private func exchange(
        _ commands: [MetaCommand], on connection: MemcachedConnection
    ) throws(MemcachedFailure) -> [MetaReply] {
        let replies = try connection.exchange(commands, by: .now + settings.timeout)
        state.withLock { if $0.idle.count < Self.maximumIdleCount { $0.idle.append(connection) } }
        return replies
    }

    /// Changes that have come meanwhile are still owed, also of the same entry.
    private func noteAnswer(to owed: [String: Owed]) {
        let wasLeftOut = state.withLock { state in
            defer { (state.failureCount, state.pauseEnd) = (0, nil) }
            for (key, change) in owed where state.owed[key]?.number == change.number { state.owed[key] = nil }
            return state.failureCount > 0
        }
        if wasLeftOut { WebImageLog.warn("the memcached \(server.name) answers again") }
    }

    private func note(_ failure: MemcachedFailure) {
        // A refusal concerns one request, such as a value that is too large for this server.
        if case .refused = failure { return }
        let isFirst = state.withLock { state in
            state.idle = []
            // Requests that ran beside the first one which failed say nothing new.
            if let end = state.pauseEnd, now() < end { return false }
            state.failureCount += 1
            state.pauseEnd = now() + settings.pause(after: state.failureCount)
            return state.failureCount == 1
        }
        if isFirst {
            WebImageLog.warn("the memcached \(server.name) is left out for now: \(failure.text)")
        }
    }
}
