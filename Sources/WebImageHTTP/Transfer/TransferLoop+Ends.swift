import FoundationEssentials
import WebImageCore

// The arrival of a transfer's bytes, and its end.
extension TransferLoop {
    func reportProgress() {
        guard !running.isEmpty else { return }
        let now = clock.now
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            bandwidth.note(http.takeNewByteCount(), at: now)
            let news = http.takeNews(at: now)
            if let replacement = http.replacement {
                beginAgain(replacement, of: transfer)
                continue
            }
            guard let news else { continue }
            // Partial pictures come no more often than reports.
            if transfer.report(news, at: now) { transfer.reportData() }
            transfer.keepCopy(of: http, at: now)
        }
    }

    func endFinished() {
        while let number = multi.nextEnded() { receiveNews(of: number) }
    }

    /// Takes what an exchange has not reported by itself, and its end.
    func receiveNews(of number: UInt64) {
        guard let transfer = running[number], let http = transfer.http, let end = http.exchange?.receiveNews()
        else { return }
        guard !hasOnlyWaited(end, http.request.url) else { return beginAgain(http.request, of: transfer) }
        _ = http.takeNews(at: clock.now)
        conclude(transfer, http, end.error)
    }

    /// Whether a request has failed for its wait for one of the connections: no failure as long as one of them works, which
    /// becomes free. Requests that wait for a host that does not answer fail.
    private func hasOnlyWaited(_ end: ExchangeEnd, _ url: URL) -> Bool {
        guard end.wasCutShort else { return false }
        return end.hasTriedToConnect
            || running.values.contains { transfer in
                guard let other = transfer.http, other.patience.isConnected else { return false }
                return config.maxTotalConnections != nil || other.request.url.hasSameOrigin(as: url)
            }
    }

    private func conclude(_ transfer: SharedTransfer, _ http: HTTPTransfer, _ failure: WebImageError?) {
        let progress = http.progress
        switch http.outcome(failure) {
        case .redirect(let response): follow(response, http, of: transfer)
        case .restart(let request): beginAgain(request, of: transfer)
        case .ended(var result):
            // Before the load ends: the process may end with it.
            if transfer.key.usesCookies { hosts.saveCookies() }
            result = result.map { $0.with(metricsSoFar(of: transfer), redirectLifetime: transfer.redirectLifetime) }
            if case .success = result { transfer.report(progress, at: clock.now, isLast: true) }
            end(transfer, result)
        }
    }

    /// The times of all exchanges of a transfer, that of the one under way included; nil while it is queued.
    func metricsSoFar(of transfer: SharedTransfer) -> TransferMetrics? {
        guard let http = transfer.http else { return transfer.metrics }
        return transfer.metrics(followedBy: metrics(of: http))
    }

    func metrics(of http: HTTPTransfer) -> TransferMetrics {
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

    private func beginAgain(_ request: OutgoingRequest, of transfer: SharedTransfer) {
        if let http = transfer.http { transfer.add(metrics(of: http)) }
        stopExchange(of: transfer)
        transfer.forgetReportedData()
        do throws(WebImageError) {
            try begin(request, of: transfer)
        } catch {
            end(transfer, .failure(error))
        }
    }

    func end(_ transfer: SharedTransfer, _ result: Result<ImageLoadResponse, WebImageError>) {
        if case .failure = result { keepPartialBody(of: transfer, for: transfer.keepers) }
        let result = result.mapError { $0.with(metricsSoFar(of: transfer)) }
        stop(transfer)
        var encrypted: [(task: DownloadTask, priority: LoadPriority)] = []
        let subscribers = transfer.takeSubscribers()
        let answer = subscribers.count > 1 ? result.map(\.sharedByMany) : result
        for (task, priority) in subscribers {
            if case .success = answer, task.load.decryptor != nil {
                encrypted.append((task, priority))
            } else {
                task.finish(answer)
            }
        }
        if case .success(let response) = answer { decryptions.begin(response, for: encrypted) }
    }

    func failAll(_ error: WebImageError) {
        for transfer in transfers.values { end(transfer, .failure(error)) }
    }

    /// Stops a transfer that no load waits for any more.
    func giveUp(_ transfer: SharedTransfer, after tasks: [DownloadTask]) {
        keepPartialBody(of: transfer, for: tasks.compactMap(\.load.keepPartialBody))
        stop(transfer)
    }

    private func keepPartialBody(of transfer: SharedTransfer, for keepers: [@Sendable (PartialBody) -> Void]) {
        guard let keep = keepers.first, let http = transfer.http else { return }
        // Bytes that have arrived since the last turn count, too.
        _ = http.takeNews(at: clock.now)
        if let body = http.takePartialBody() { keep(body) }
    }

    /// Removes the transfer from all tables, so that no load can join it.
    private func stop(_ transfer: SharedTransfer) {
        transfers[transfer.key] = nil
        if let ticket = transfer.waitingTicket.take() { _ = waiting.remove(ticket) }
        stopExchange(of: transfer)
    }

    func stopExchange(of transfer: SharedTransfer) {
        guard let http = transfer.http.take() else { return }
        // Before the load ends: the process may end with it.
        hosts.note(http, transfer.key)
        http.exchange?.stop()
        running[http.number] = nil
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
    /// The same error with the times of its transfer.
    func with(_ metrics: TransferMetrics?) -> WebImageError {
        var copy = self
        copy.metrics = metrics
        return copy
    }
}
