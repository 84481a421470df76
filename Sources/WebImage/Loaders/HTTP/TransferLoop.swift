import CCurl
import FoundationEssentials
import Glibc

/// The work of the transfer thread: takes commands, runs libcurl, and delivers the results.
///
/// Only this thread decides which load joins which transfer and which load gets which end, one after the other. So no
/// load can join a transfer that has ended.
final class TransferLoop {
    private let mailbox: TransferMailbox
    private let multi: CurlMulti
    private let clock = SuspendingClock()
    private let decryptions: BodyDecryptions
    private var config: WebImageDownloaderConfig
    /// The header fields of the last request: the next one mostly has the same.
    private var lastHeaders: CurlHeaderList?
    private var cookieJar: CurlCookieJar?
    private var commands: [TransferCommand] = []
    private var transfers: [TransferKey: SharedTransfer] = [:]
    private var waiting = WaitingList<SharedTransfer>()
    private var running: [UnsafeMutableRawPointer: SharedTransfer] = [:]
    private var isStopping = false

    init(config: WebImageDownloaderConfig, mailbox: TransferMailbox) throws(WebImageError) {
        self.config = config
        self.mailbox = mailbox
        decryptions = BodyDecryptions(mailbox: mailbox)
        multi = try CurlMulti()
        try configureMulti()
    }

    /// Runs until ``TransferCommand/stop``, then cancels all loads that are left.
    func run() {
        while !isStopping {
            mailbox.take(into: &commands)
            for command in commands { execute(command) }
            // Commands retain loads and whole bodies, and the sleep below may be long.
            commands.removeAll(keepingCapacity: true)
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
                // A lasting error must not keep a core busy.
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
        case .decrypted(let number, let data): decryptions.end(number, data)
        case .configure(let config): configure(config)
        case .stop: isStopping = true
        }
    }

    private func load(_ task: DownloadTask) {
        guard !task.isCancelled else { return task.cancelAtEnd() }
        if let transfer = transfers[task.load.key] {
            transfer.join(task)
            updatePriority(of: transfer)
        } else {
            let transfer = SharedTransfer(task, minimumProgressInterval: config.minimumProgressInterval)
            transfers[task.load.key] = transfer
            transfer.waitingTicket = waiting.append(transfer, priority: transfer.priority)
        }
    }

    private func cancel(_ task: DownloadTask) {
        if let transfer = transfers[task.load.key], transfer.leave(task) {
            if transfer.isAbandoned { stop(transfer) } else { updatePriority(of: transfer) }
        } else if !decryptions.leave(task) {
            return
        }
        task.cancelAtEnd()
    }

    private func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        decryptions.prioritize(task, priority)
        guard let transfer = transfers[task.load.key] else { return }
        transfer.prioritize(task, priority)
        updatePriority(of: transfer)
    }

    private func updatePriority(of transfer: SharedTransfer) {
        if let ticket = transfer.waitingTicket { waiting.move(ticket, to: transfer.priority) }
    }

    private func cancelAll() {
        for transfer in transfers.values { end(transfer, .failure(.cancelled())) }
        for task in decryptions.removeAll() { task.cancelAtEnd() }
    }

    private func configure(_ config: WebImageDownloaderConfig) {
        self.config = config
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
            transfer.load, handle: handle, headers: try headerList(of: transfer.key.headers), config: config,
            now: clock.now)
        try http.prepare(
            connectTimeout: min(config.connectTimeout, transfer.patience(default: config.downloadTimeout)),
            weight: transfer.priority.streamWeight, cookieJar: try cookieJar(for: transfer.key))
        try multi.add(handle)
        transfer.http = http
        running[handle.pointer] = transfer
        transfer.report(LoadProgress(receivedByteCount: 0), at: clock.now)
    }

    private func headerList(of fields: [String: String]) throws(WebImageError) -> CurlHeaderList {
        if let lastHeaders, lastHeaders.fields == fields { return lastHeaders }
        let list = try CurlHeaderList(fields)
        lastHeaders = list
        return list
    }

    private func cookieJar(for key: TransferKey) throws(WebImageError) -> CurlCookieJar? {
        guard key.usesCookies, !key.headers.hasField("cookie") else { return nil }
        if let cookieJar { return cookieJar }
        let jar = try CurlCookieJar()
        cookieJar = jar
        return jar
    }
}

// MARK: - Progress and ends

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

    /// Ends the loads whose timeout has passed. libcurl's own limit counts whole seconds, and has one value for each
    /// transfer instead of each load.
    private func endImpatient() {
        let now = clock.now
        for transfer in running.values {
            guard let http = transfer.http, http.isConnected else { continue }
            let idle = http.lastActivity.duration(to: now)
            let impatient = transfer.removeImpatient(idleFor: idle, default: config.downloadTimeout)
            if transfer.isAbandoned { stop(transfer) }
            for task in impatient {
                task.finish(.failure(.nothingCame(for: task.timeout(default: config.downloadTimeout))))
            }
        }
    }

    /// Milliseconds until the next timeout, or until a transfer without a connection is checked.
    private var longestSleep: Int32 {
        let now = clock.now
        var longest = Duration.seconds(60)
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            guard http.isConnected else {
                // libcurl 7.88 may fail to wake a request that waits for a connection when other waiting requests are
                // removed: it continues with the next call of libcurl.
                longest = min(longest, .milliseconds(100))
                continue
            }
            let idle = http.lastActivity.duration(to: now)
            longest = min(longest, transfer.leastPatience(default: config.downloadTimeout) - idle)
        }
        return Int32(max(0, (longest.seconds * 1000).rounded(.up)))
    }

    private func end(_ transfer: SharedTransfer, _ result: Result<ImageLoadResponse, WebImageError>) {
        stop(transfer)
        var encrypted: [SharedTransfer.Subscriber] = []
        let subscribers = transfer.takeSubscribers()
        let result = subscribers.count > 1 ? result.map(\.sharedByMany) : result
        for subscriber in subscribers {
            if case .success = result, subscriber.task.load.decryptor != nil {
                encrypted.append(subscriber)
            } else {
                subscriber.task.finish(result)
            }
        }
        if case .success(let response) = result { decryptions.begin(response, for: encrypted) }
    }

    private func failAll(_ error: WebImageError) {
        for transfer in transfers.values { end(transfer, .failure(error)) }
    }

    /// Removes the transfer from all tables, so that no load can join it.
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
        case .veryHigh: 256
        }
    }
}

extension DownloadTask {
    /// Ends the load as cancelled.
    fileprivate func cancelAtEnd() { finish(.failure(.cancelled())) }
}
