import CCurl
import FoundationEssentials
import Glibc
import WebImageCore

/// The work of the transfer thread: takes commands, runs libcurl, and delivers the results.
///
/// Only this thread decides which load joins which transfer and which load gets which end, one after the other. So no
/// load can join a transfer that has ended.
final class TransferLoop {
    let mailbox: TransferMailbox
    let multi: CurlMulti
    private var pauses: CurlMulti?
    let clock = SuspendingClock()
    let decryptions: BodyDecryptions
    var config: WebImageDownloaderConfig
    /// The header fields of the last request: the next one mostly has the same.
    var lastHeaders: CurlHeaderList?
    let hosts = HostMemory()
    private var commands: [TransferCommand] = []
    var transfers: [TransferKey: SharedTransfer] = [:]
    var waiting = WaitingList<SharedTransfer>()
    /// By the number of the exchange under way.
    var running: [UInt64: SharedTransfer] = [:]
    var lastNumber: UInt64 = 0
    var bandwidth: BandwidthLimiter
    var starts: StartLimiter
    var isSuspended: Bool
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

extension DownloadTask {
    /// Ends the load as cancelled.
    fileprivate func cancelAtEnd() { finish(.failure(.cancelled())) }
}

extension Duration {
    fileprivate var roundedUpMilliseconds: Int32 { Int32(max(0, (seconds * 1000).rounded(.up))) }
}
