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
    private var pauses: CurlMulti?
    private let clock = SuspendingClock()
    private let decryptions: BodyDecryptions
    private var config: WebImageDownloaderConfig
    /// The header fields of the last request: the next one mostly has the same.
    private var lastHeaders: CurlHeaderList?
    private let hosts = HostMemory()
    private var commands: [TransferCommand] = []
    private var transfers: [TransferKey: SharedTransfer] = [:]
    private var waiting = WaitingList<SharedTransfer>()
    /// By the number of the exchange under way.
    private var running: [UInt64: SharedTransfer] = [:]
    private var lastNumber: UInt64 = 0
    private var bandwidth: BandwidthLimiter
    private var starts: StartLimiter
    private var isSuspended: Bool
    private var isStopping = false

    init(
        config: WebImageDownloaderConfig, isSuspended: Bool, mailbox: TransferMailbox
    ) throws(WebImageError) {
        self.config = config
        self.isSuspended = isSuspended
        starts = StartLimiter(config.startLimit, now: .now)
        bandwidth = BandwidthLimiter(config.maximumBytesPerSecond, now: .now)
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
                if !running.isEmpty, bandwidth.pause(at: clock.now) == nil { try multi.perform() }
                reportProgress()
                endFinished()
                endImpatient()
                // A request that has just begun is sent at once.
                if !startWaiting() { try sleep() }
            } catch {
                failAll(error)
                // A lasting error must not keep a core busy.
                usleep(10_000)
            }
        }
        shutDown()
    }

    /// Waits for a command, for the network or for a limit of time.
    private func sleep() throws(WebImageError) {
        guard !isStopping else { return }
        let pause = running.isEmpty ? nil : bandwidth.pause(at: clock.now)
        let multi = pause == nil ? self.multi : try multiWithoutTransfers()
        guard mailbox.mayFallAsleep(multi.waker) else { return }
        try multi.poll(milliseconds: min(pause ?? .seconds(60), longestSleep).roundedUpMilliseconds)
    }

    /// Waits for commands only: what has come to the sockets of transfers would end a pause at once.
    private func multiWithoutTransfers() throws(WebImageError) -> CurlMulti {
        if let pauses { return pauses }
        let multi = try CurlMulti()
        pauses = multi
        return multi
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
        case .operationNews(let number): receiveNews(of: number)
        case .suspend(let isSuspended): self.isSuspended = isSuspended
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
        var metrics: TransferMetrics?
        if let transfer = transfers[task.load.key], transfer.leave(task) {
            metrics = metricsSoFar(of: transfer)
            if transfer.isAbandoned { giveUp(transfer, after: [task]) } else { updatePriority(of: transfer) }
        } else if !decryptions.leave(task) {
            return
        }
        task.finish(.failure(.cancelled().with(metrics)))
    }

    private func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        decryptions.prioritize(task, priority)
        guard let transfer = transfers[task.load.key] else { return }
        transfer.prioritize(task, priority)
        updatePriority(of: transfer)
    }

    private func updatePriority(of transfer: SharedTransfer) {
        if let ticket = transfer.waitingTicket { waiting.move(ticket, to: transfer.priority) }
        transfer.http?.exchange?.setPriority(transfer.priority)
    }

    private func cancelAll() {
        for transfer in transfers.values { end(transfer, .failure(.cancelled())) }
        for task in decryptions.removeAll() { task.cancelAtEnd() }
    }

    private func configure(_ config: WebImageDownloaderConfig) {
        if config.startLimit != starts.limit { starts = StartLimiter(config.startLimit, now: clock.now) }
        if config.maximumBytesPerSecond != self.config.maximumBytesPerSecond {
            bandwidth = BandwidthLimiter(config.maximumBytesPerSecond, now: clock.now)
        }
        self.config = config
        do throws(WebImageError) { try configureMulti() } catch { failAll(error) }
    }

    private func configureMulti() throws(WebImageError) {
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, config.maxConnectionsPerHost)
        try multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, config.maxTotalConnections ?? 0)
        try multi.set(CURLMOPT_MAXCONNECTS, max(16, 2 * config.maxConcurrentDownloads))
    }
}

// MARK: - Beginnings

extension TransferLoop {
    /// Whether a transfer has begun.
    @discardableResult
    private func startWaiting() -> Bool {
        var hasStarted = false
        while !isSuspended, let priority = waiting.highestPriority, places.hasPlace(for: priority), mayConnect,
            starts.take(at: clock.now), let transfer = nextWaiting()
        {
            start(transfer)
            hasStarted = true
        }
        return hasStarted
    }

    private var places: WorkPlaces {
        var places = WorkPlaces(limit: config.maxConcurrentDownloads)
        for transfer in running.values { places.enter(transfer.priority) }
        return places
    }

    /// False while all connections are taken, and a transfer waits for one in libcurl, which knows no priorities.
    private var mayConnect: Bool {
        guard let limit = config.maxTotalConnections, running.count >= limit else { return true }
        return running.values.allSatisfy { $0.http?.patience.isConnected == true }
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

    private func start(_ transfer: SharedTransfer) {
        transfer.start = clock.now
        do throws(WebImageError) {
            try begin(OutgoingRequest(transfer.load), of: transfer)
            transfer.report(LoadProgress(receivedByteCount: 0), at: clock.now)
        } catch {
            end(transfer, .failure(error))
        }
    }

    /// Begins the exchange of `request`, which is the transfer's own or that of a redirect.
    private func begin(_ request: OutgoingRequest, of transfer: SharedTransfer) throws(WebImageError) {
        let request = try hosts.routed(request, of: transfer.load, config)
        lastNumber += 1
        let patience = transfer.patience(default: config.downloadTimeout)
        let http = HTTPTransfer(
            transfer.load, request: request, number: lastNumber, config: config,
            patience: TransferPatience(speed: leastSpeed, patience: patience, now: clock.now))
        if let operation = transfer.load.operation {
            begin(http, by: operation, of: transfer, patience: patience)
        } else {
            let exchange = try CurlExchange(
                http, transfer.load, headers: try headerList(of: request.headers), config: config)
            http.exchange = exchange
            try exchange.start(
                in: multi, connectTimeout: connectTimeout(of: request, patience), priority: transfer.priority,
                cookieJar: try hosts.cookieJar(for: transfer.key, config))
        }
        transfer.http = http
        running[http.number] = transfer
    }

    private func begin(
        _ http: HTTPTransfer, by operation: any DownloadOperation, of transfer: SharedTransfer, patience: Duration
    ) {
        let exchange = OperationExchange(http, mailbox: mailbox, priority: transfer.priority)
        http.exchange = exchange
        exchange.start(
            operation,
            DownloadRequest(http.request, transfer.key, priority: transfer.priority, timeout: patience))
    }

    private func follow(_ response: HTTPResponse, _ http: HTTPTransfer, of transfer: SharedTransfer) {
        transfer.add(metrics(of: http))
        // The response may say that its host is asked by https from now on.
        stopExchange(of: transfer)
        do throws(WebImageError) {
            let rules = RedirectRules(transfer.load, config: config, strictHosts: try hosts.strictHosts(config))
            let next = try rules.request(after: http.request, response, followed: transfer.redirectCount)
            transfer.note(redirect: response)
            try begin(next, of: transfer)
        } catch {
            end(transfer, http.fail(error))
        }
    }

    /// What the downloader does not let through is not the server's fault.
    private var leastSpeed: WebImageDownloaderConfig.MinimumSpeed? {
        config.maximumBytesPerSecond == nil ? config.minimumSpeed : nil
    }

    private func headerList(of fields: [String: String]) throws(WebImageError) -> CurlHeaderList {
        if let lastHeaders, lastHeaders.fields == fields { return lastHeaders }
        let list = try CurlHeaderList(fields)
        lastHeaders = list
        return list
    }

    /// The host itself can still be asked when another place does not answer.
    private func connectTimeout(of request: OutgoingRequest, _ patience: Duration) -> Duration {
        min(config.connectTimeout, patience, request.alternative == nil ? patience : .seconds(3))
    }
}

// MARK: - Progress and ends

extension TransferLoop {
    private func reportProgress() {
        guard !running.isEmpty else { return }
        let now = clock.now
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            bandwidth.note(http.takeNewByteCount(), at: now)
            guard let news = http.takeNews(at: now) else { continue }
            // Partial pictures come no more often than reports.
            if transfer.report(news, at: now) { transfer.reportData() }
        }
    }

    private func endFinished() {
        while let (number, result) = multi.nextEnded() {
            guard let transfer = running[number], let http = transfer.http else { continue }
            let exchange = http.exchange as? CurlExchange
            if let alternative = http.request.alternative, exchange?.wasMisdirected(result) == true {
                hosts.disuse(alternative)
                beginAgain(http.request.toOwnHost, of: transfer)
            } else {
                conclude(transfer, http, failure: exchange?.failure(result))
            }
        }
    }

    /// Takes what an app's download operation has reported.
    private func receiveNews(of number: UInt64) {
        guard let transfer = running[number], let http = transfer.http,
            let end = (http.exchange as? OperationExchange)?.receiveNews()
        else { return }
        _ = http.takeNews(at: clock.now)
        conclude(transfer, http, failure: end.error)
    }

    private func conclude(
        _ transfer: SharedTransfer, _ http: HTTPTransfer, failure: @autoclosure () -> WebImageError?
    ) {
        let progress = http.progress
        switch http.outcome(failure()) {
        case .redirect(let response): follow(response, http, of: transfer)
        case .restart: beginAgain(http.request.whole, of: transfer)
        case .ended(var result):
            // Before the load ends: the process may end with it.
            if transfer.key.usesCookies { hosts.saveCookies() }
            result = result.map { $0.with(metricsSoFar(of: transfer), redirectLifetime: transfer.redirectLifetime) }
            if case .success = result { transfer.report(progress, at: clock.now, isLast: true) }
            end(transfer, result)
        }
    }

    /// The times of all exchanges of a transfer, that of the one under way included; nil while it is queued.
    private func metricsSoFar(of transfer: SharedTransfer) -> TransferMetrics? {
        guard let http = transfer.http else { return transfer.metrics }
        return transfer.metrics(followedBy: metrics(of: http))
    }

    private func metrics(of http: HTTPTransfer) -> TransferMetrics {
        let time = http.patience.start.duration(to: clock.now)
        if var metrics = http.exchange?.metrics {
            // libcurl's time is that of its last look at an exchange, which may be long ago.
            metrics.total = max(metrics.total, time)
            return metrics
        }
        var metrics = TransferMetrics(total: time)
        metrics.firstByte = http.patience.firstByte
        return metrics
    }

    /// Ends the transfers that are over a limit of time, and the loads whose timeout has passed. libcurl's own limits
    /// count whole seconds, and have one value for each transfer instead of each load.
    private func endImpatient() {
        let now = clock.now
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            if let error = overdue(transfer, http, at: now) {
                end(transfer, http.fail(error))
            } else if http.patience.isConnected {
                endIdle(transfer, http, at: now)
            }
        }
    }

    private func overdue(
        _ transfer: SharedTransfer, _ http: HTTPTransfer, at now: SuspendingClock.Instant
    ) -> WebImageError? {
        if let limit = config.totalTimeout, transfer.start.duration(to: now) >= limit { return .tookTooLong(limit) }
        return http.checkSpeed(at: now) ?? http.endlessChallenge
    }

    private func endIdle(_ transfer: SharedTransfer, _ http: HTTPTransfer, at now: SuspendingClock.Instant) {
        let idle = idleTime(of: http, at: now)
        let impatient = transfer.removeImpatient(idleFor: idle, default: config.downloadTimeout)
        guard !impatient.isEmpty else { return }
        let (isBody, metrics) = (http.hasHead, metricsSoFar(of: transfer))
        if transfer.isAbandoned { giveUp(transfer, after: impatient) }
        for task in impatient {
            let timeout = task.timeout(default: config.downloadTimeout)
            task.finish(.failure(.nothingCame(for: timeout, inBody: isBody).with(metrics)))
        }
    }

    /// The time without a byte. What the downloader does not read for its limit of bytes is not the server's silence.
    private func idleTime(of http: HTTPTransfer, at now: SuspendingClock.Instant) -> Duration {
        max(http.patience.lastActivity, bandwidth.readableSince).duration(to: now)
    }

    /// The time until the next timeout, or until a transfer without a connection is checked.
    private var longestSleep: Duration {
        let now = clock.now
        var longest = Duration.seconds(60)
        if waiting.highestPriority != nil, !isSuspended, let time = starts.timeToToken(at: now) { longest = time }
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            if let limit = config.totalTimeout {
                longest = min(longest, limit - transfer.start.duration(to: now))
            }
            guard http.patience.isConnected else {
                // libcurl 7.88 may fail to wake a request that waits for a connection when other waiting requests are
                // removed: it continues with the next call of libcurl.
                longest = min(longest, .milliseconds(100))
                continue
            }
            longest = min(
                longest, transfer.leastPatience(default: config.downloadTimeout) - idleTime(of: http, at: now))
            if let check = http.patience.timeToSpeedCheck(at: now) { longest = min(longest, check) }
        }
        return longest
    }

    private func beginAgain(_ request: OutgoingRequest, of transfer: SharedTransfer) {
        if let http = transfer.http { transfer.add(metrics(of: http)) }
        stopExchange(of: transfer)
        do throws(WebImageError) {
            try begin(request, of: transfer)
        } catch {
            end(transfer, .failure(error))
        }
    }

    private func end(_ transfer: SharedTransfer, _ result: Result<ImageLoadResponse, WebImageError>) {
        if case .failure = result { keepPartialBody(of: transfer, for: transfer.keepers) }
        let result = result.mapError { $0.with(metricsSoFar(of: transfer)) }
        stop(transfer)
        var encrypted: [SharedTransfer.Subscriber] = []
        let subscribers = transfer.takeSubscribers()
        let answer = subscribers.count > 1 ? result.map(\.sharedByMany) : result
        for subscriber in subscribers {
            if case .success = answer, subscriber.task.load.decryptor != nil {
                encrypted.append(subscriber)
            } else {
                subscriber.task.finish(answer)
            }
        }
        if case .success(let response) = answer { decryptions.begin(response, for: encrypted) }
    }

    private func failAll(_ error: WebImageError) {
        for transfer in transfers.values { end(transfer, .failure(error)) }
    }

    /// Stops a transfer that no load waits for any more.
    private func giveUp(_ transfer: SharedTransfer, after tasks: [DownloadTask]) {
        keepPartialBody(of: transfer, for: tasks.compactMap(\.load.keepPartialBody))
        stop(transfer)
    }

    private func keepPartialBody(of transfer: SharedTransfer, for keepers: [@Sendable (PartialBody) -> Void]) {
        guard let keep = keepers.first, let http = transfer.http else { return }
        // What has arrived since the last turn counts, too.
        _ = http.takeNews(at: clock.now)
        if let body = http.takePartialBody() { keep(body) }
    }

    /// Removes the transfer from all tables, so that no load can join it.
    private func stop(_ transfer: SharedTransfer) {
        transfers[transfer.key] = nil
        if let ticket = transfer.waitingTicket.take() { _ = waiting.remove(ticket) }
        stopExchange(of: transfer)
    }

    private func stopExchange(of transfer: SharedTransfer) {
        guard let http = transfer.http.take() else { return }
        // Before the load ends: the process may end with it.
        hosts.note(http, transfer.key)
        http.exchange?.stop()
        running[http.number] = nil
    }
}

extension DownloadRequest {
    fileprivate init(_ request: OutgoingRequest, _ key: TransferKey, priority: LoadPriority, timeout: Duration) {
        url = request.url
        method = request.method
        headers = request.headers
        body = request.body
        credential = request.credential
        usesCookies = key.usesCookies
        allowsInvalidCertificates = key.allowsInvalidCertificates
        self.priority = priority
        self.timeout = timeout
    }
}

extension ImageLoadResponse {
    fileprivate func with(_ metrics: TransferMetrics?, redirectLifetime: Double?) -> ImageLoadResponse {
        var copy = self
        copy.metrics = metrics
        copy.sent?.redirectLifetime = redirectLifetime
        return copy
    }
}

extension WebImageError {
    fileprivate func with(_ metrics: TransferMetrics?) -> WebImageError {
        var copy = self
        copy.metrics = metrics
        return copy
    }
}

extension DownloadTask {
    /// Ends the load as cancelled.
    fileprivate func cancelAtEnd() { finish(.failure(.cancelled())) }
}

extension Duration {
    fileprivate var roundedUpMilliseconds: Int32 { Int32(max(0, (seconds * 1000).rounded(.up))) }
}
