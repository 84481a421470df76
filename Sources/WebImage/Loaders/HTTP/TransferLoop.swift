import CCurl
import FoundationEssentials
import Glibc

/// What the transfer thread does: takes commands, lets libcurl work, and tells what came of it.
///
/// Everything that decides who joins which transfer and who hears of which ending happens on this one thread, one after
/// the other; there is no moment in which a transfer has ended and can still be joined.
final class TransferLoop {
    private let mailbox: TransferMailbox
    private let multi: CurlMulti
    private let clock = SuspendingClock()
    private var config: WebImageDownloaderConfig
    private var defaultHeaders: CurlHeaderList?
    private var commands: [TransferCommand] = []
    private var transfers: [TransferKey: SharedTransfer] = [:]
    private var waiting = WaitingList<SharedTransfer>()
    private var running: [UnsafeMutableRawPointer: SharedTransfer] = [:]
    private var isStopping = false

    init(config: WebImageDownloaderConfig, mailbox: TransferMailbox) throws(WebImageError) {
        self.config = config
        self.mailbox = mailbox
        multi = try CurlMulti()
        try configureMulti()
    }

    /// Works until ``TransferCommand/stop``, then ends what is left as cancelled.
    func run() {
        while !isStopping {
            mailbox.take(into: &commands)
            for command in commands { execute(command) }
            startWaiting()
            do throws(WebImageError) {
                if !running.isEmpty { try multi.perform() }
                reportProgress()
                endFinished()
                endImpatient()
                startWaiting()
                if !isStopping, mailbox.mayFallAsleep(multi.waker) { try multi.poll(milliseconds: longestSleep) }
            } catch {
                failAll(error)
                // Trouble that stays must not burn a core.
                usleep(10_000)
            }
        }
        shutDown()
    }

    private func shutDown() {
        for command in mailbox.close() {
            if case .load(let task) = command { task.cancelAtEnd() }
        }
        cancelAll()
    }
}

// MARK: - Commands

extension TransferLoop {
    private func execute(_ command: TransferCommand) {
        switch command {
        case .load(let task): load(task)
        case .cancel(let task): cancel(task)
        case .prioritize(let task, let priority): prioritize(task, priority)
        case .cancelAll: cancelAll()
        case .configure(let config): configure(config)
        case .stop: isStopping = true
        }
    }

    private func load(_ task: DownloadTask) {
        guard !task.isCancelled else { return task.cancelAtEnd() }
        if let transfer = transfers[task.key] {
            transfer.join(task)
            updatePriority(of: transfer)
        } else {
            let transfer = SharedTransfer(task, minimumProgressInterval: config.minimumProgressInterval)
            transfers[task.key] = transfer
            transfer.waitingTicket = waiting.append(transfer, priority: transfer.priority)
        }
    }

    private func cancel(_ task: DownloadTask) {
        guard let transfer = transfers[task.key], transfer.leave(task) else { return }
        if transfer.isAbandoned { stop(transfer) } else { updatePriority(of: transfer) }
        task.cancelAtEnd()
    }

    private func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        guard let transfer = transfers[task.key] else { return }
        transfer.prioritize(task, priority)
        updatePriority(of: transfer)
    }

    private func updatePriority(of transfer: SharedTransfer) {
        if let ticket = transfer.waitingTicket { waiting.move(ticket, to: transfer.priority) }
    }

    private func cancelAll() {
        for transfer in transfers.values {
            stop(transfer)
            transfer.finish(.failure(.cancelled()))
        }
    }

    private func configure(_ config: WebImageDownloaderConfig) {
        self.config = config
        defaultHeaders = nil
        do throws(WebImageError) { try configureMulti() } catch { failAll(error) }
    }

    private func configureMulti() throws(WebImageError) {
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, config.maxConnectionsPerHost)
        try multi.set(CURLMOPT_MAXCONNECTS, max(16, 2 * config.maxConcurrentDownloads))
    }
}

// MARK: - Beginnings

extension TransferLoop {
    private func startWaiting() {
        while let priority = waiting.highestPriority, places.hasPlace(for: priority), let transfer = nextWaiting() {
            do throws(WebImageError) { try start(transfer) } catch { end(transfer, .failure(error)) }
        }
    }

    private var places: WorkPlaces {
        var places = WorkPlaces(limit: config.maxConcurrentDownloads)
        for transfer in running.values { places.enter(transfer.priority) }
        return places
    }

    private func nextWaiting() -> SharedTransfer? {
        let transfer =
            switch config.executionOrder {
            case .firstInFirstOut: waiting.popOldest()
            case .lastInFirstOut: waiting.popNewest()
            }
        transfer?.waitingTicket = nil
        return transfer
    }

    private func start(_ transfer: SharedTransfer) throws(WebImageError) {
        let handle = try CurlHandle()
        let http = HTTPTransfer(
            url: transfer.url, handle: handle, headers: try headers(for: transfer), config: config, now: clock.now)
        try http.prepare(
            connectTimeout: min(config.connectTimeout, transfer.patience(default: config.downloadTimeout)),
            weight: transfer.priority.streamWeight)
        try multi.add(handle)
        transfer.http = http
        running[handle.pointer] = transfer
        transfer.report(LoadProgress(receivedByteCount: 0), at: clock.now)
    }

    private func headers(for transfer: SharedTransfer) throws(WebImageError) -> CurlHeaderList {
        guard transfer.requestHeaders.isEmpty else {
            let names = Set(transfer.requestHeaders.keys.map { $0.lowercased() })
            let defaults = config.headers.filter { !names.contains($0.key.lowercased()) }
            return try CurlHeaderList(defaults.merging(transfer.requestHeaders) { $1 })
        }
        if let defaultHeaders { return defaultHeaders }
        let list = try CurlHeaderList(config.headers)
        defaultHeaders = list
        return list
    }
}

// MARK: - Progress and endings

extension TransferLoop {
    private func reportProgress() {
        guard !running.isEmpty else { return }
        let now = clock.now
        for transfer in running.values {
            guard let news = transfer.http?.takeNews(at: now) else { continue }
            transfer.report(news, at: now)
            transfer.reportData()
        }
    }

    private func endFinished() {
        while let (pointer, result) = multi.nextEnded() {
            guard let transfer = running[pointer], let http = transfer.http else { continue }
            let progress = http.progress
            let outcome = http.outcome(result)
            if case .success = outcome { transfer.report(progress, at: clock.now, isLast: true) }
            end(transfer, outcome)
        }
    }

    /// Ends the loads for which nothing has come for too long. libcurl's own limit counts whole seconds and knows of one
    /// load for each transfer.
    private func endImpatient() {
        let now = clock.now
        for transfer in running.values {
            guard let http = transfer.http, http.isConnected else { continue }
            let idle = http.lastActivity.duration(to: now) / .seconds(1)
            let impatient = transfer.removeImpatient(idleFor: idle, default: config.downloadTimeout)
            if transfer.isAbandoned { stop(transfer) }
            for task in impatient {
                task.finish(.failure(.nothingCame(for: task.timeout(default: config.downloadTimeout))))
            }
        }
    }

    /// Milliseconds until the next load loses patience.
    private var longestSleep: Int32 {
        let now = clock.now
        var seconds = 60.0
        for transfer in running.values {
            guard let http = transfer.http, http.isConnected else { continue }
            let idle = http.lastActivity.duration(to: now) / .seconds(1)
            seconds = min(seconds, transfer.leastPatience(default: config.downloadTimeout) - idle)
        }
        return Int32(max(0, (seconds * 1000).rounded(.up)))
    }

    private func end(_ transfer: SharedTransfer, _ result: Result<ImageLoadResponse, WebImageError>) {
        stop(transfer)
        transfer.finish(result)
    }

    private func failAll(_ error: WebImageError) {
        for transfer in transfers.values { end(transfer, .failure(error)) }
    }

    /// Takes the transfer out of everything, so that nobody can join it.
    private func stop(_ transfer: SharedTransfer) {
        transfers[transfer.key] = nil
        if let ticket = transfer.waitingTicket.take() { _ = waiting.remove(ticket) }
        guard let handle = transfer.http?.handle else { return }
        multi.remove(handle)
        running[handle.pointer] = nil
        transfer.http = nil
    }
}

extension LoadPriority {
    /// The share of an HTTP/2 connection, 1 to 256; 16 is the protocol's default (RFC 7540 §5.3.5).
    fileprivate var streamWeight: Int {
        switch self {
        case .low: 4
        case .normal: 16
        case .high: 64
        }
    }
}

extension DownloadTask {
    /// Tells that the load was cancelled.
    fileprivate func cancelAtEnd() { finish(.failure(.cancelled())) }
}
