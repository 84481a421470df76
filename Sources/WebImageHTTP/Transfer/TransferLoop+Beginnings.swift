import FoundationEssentials
import WebImageCore

// How transfers leave the queue, and how their exchanges begin.
extension TransferLoop {
    /// Whether a transfer has begun.
    @discardableResult
    func startWaiting() -> Bool {
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
    func begin(_ request: OutgoingRequest, of transfer: SharedTransfer) throws(WebImageError) {
        let request = try hosts.strictHosts(config).secured(request)
        lastNumber += 1
        let patience = transfer.patience(default: config.downloadTimeout)
        let http = HTTPTransfer(
            transfer.load, request: request, number: lastNumber, config: config,
            patience: TransferPatience(speed: leastSpeed, patience: patience, now: clock.now))
        if let operation = transfer.load.operation {
            begin(http, by: operation, of: transfer, patience: patience)
        } else {
            let headers = try headerList(
                of: request.headers(for: transfer.priority), isSigned: request.credential?.signature != nil)
            let exchange = try CurlExchange(http, transfer.load, headers: headers, config: config)
            http.exchange = exchange
            try exchange.start(
                in: multi, connectTimeout: min(config.connectTimeout, patience), priority: transfer.priority,
                cookieJar: try hosts.cookieJar(for: transfer.key, config))
        }
        transfer.http = http
        running[http.number] = transfer
    }

    func begin(
        _ http: HTTPTransfer, by operation: any DownloadOperation, of transfer: SharedTransfer, patience: Duration
    ) {
        let exchange = OperationExchange(http, mailbox: mailbox, priority: transfer.priority)
        http.exchange = exchange
        exchange.start(
            operation,
            DownloadRequest(http.request, transfer.key, priority: transfer.priority, timeout: patience))
    }

    func follow(_ response: HTTPResponse, _ http: HTTPTransfer, of transfer: SharedTransfer) {
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

    /// A transfer that the downloader itself slows down is not the server's fault.
    private var leastSpeed: WebImageDownloaderConfig.MinimumSpeed? {
        config.maximumBytesPerSecond == nil ? config.minimumSpeed : nil
    }

    private func headerList(of fields: [String: String], isSigned: Bool) throws(WebImageError) -> CurlHeaderList {
        if let lastHeaders, lastHeaders.isSigned == isSigned, lastHeaders.fields == fields { return lastHeaders }
        let list = try CurlHeaderList(fields, isSigned: isSigned)
        lastHeaders = list
        return list
    }
}

extension DownloadRequest {
    fileprivate init(_ request: OutgoingRequest, _ key: TransferKey, priority: LoadPriority, timeout: Duration) {
        self.init(
            url: request.url, method: request.method, headers: request.headers, body: request.body,
            credential: request.credential, usesCookies: key.usesCookies,
            allowsInvalidCertificates: key.allowsInvalidCertificates, priority: priority, timeout: timeout)
    }
}
