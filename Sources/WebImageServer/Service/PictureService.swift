import Foundation
import Synchronization
import WebImage
import WebImageCore

/// Answers requests: reads their addresses, and sends the pictures that they name. Any thread.
final class PictureService: Sendable {
    private let rules: Mutex<ServiceRules>
    private let pipeline: ResultPipeline
    private let admission: Admission
    private let queue: WorkQueue
    private let metrics: ServiceMetrics
    private let log: AccessLog
    private let fallback: FallbackPicture?
    private let isStopping = Mutex(false)

    init(
        _ rules: ServiceRules, pipeline: ResultPipeline, admission: Admission, queue: WorkQueue,
        metrics: ServiceMetrics, log: AccessLog, fallback: FallbackPicture?
    ) {
        self.rules = Mutex(rules)
        self.pipeline = pipeline
        self.admission = admission
        self.queue = queue
        self.metrics = metrics
        self.log = log
        self.fallback = fallback
    }

    /// Takes new rules for requests that come from now on. The watermark's picture stays, and so does its name.
    func use(_ rules: ServiceRules) {
        self.rules.withLock { current in
            let watermark = current.watermark
            current = rules
            current.watermark = watermark
        }
    }

    /// Opens the access log again: a program that keeps old logs has moved its file.
    func reopenLog() throws(PictureServerError) { try log.reopen() }

    /// Health turns, so that no proxy sends more requests.
    func beginStopping() { isStopping.withLock { $0 = true } }

    /// After the last answer.
    func finish() { log.finish() }

    func respond(_ request: ServiceRequest) -> ServiceResponse {
        let path = request.target.prefix { $0 != "?" }
        switch (request.method, path) {
        case ("GET", "/health"), ("HEAD", "/health"): return .now(health)
        case ("GET", "/metrics"), ("HEAD", "/metrics"): return .now(metricsAnswer)
        case ("GET", "/favicon.ico"): return .now(.text("there is no such picture", status: 404))
        case ("GET", _), ("HEAD", _), ("PURGE", _): break
        default:
            var answer = ServiceAnswer.text("\(request.method) is not supported: use GET, HEAD or PURGE", status: 405)
            answer.headers.append(("Allow", "GET, HEAD, PURGE"))
            return .now(answer)
        }
        let exchange = Exchange(request, rules.withLock { $0 })
        do throws(ServiceError) {
            let address = try exchange.address()
            guard request.method != "PURGE" else {
                return .later { [self] in await finish(exchange, purge(address.source, exchange)) }
            }
            let recipe = try exchange.recipe(address)
            guard admission.beginRequest(of: exchange.client) else {
                throw ServiceError(429, "too many pictures at a time; wait for some of them", retryAfter: 1)
            }
            return .later { [self] in
                defer { admission.endRequest(of: exchange.client) }
                return await finish(exchange, picture(recipe, address, exchange))
            }
        } catch {
            return .now(finish(exchange, .error(error, fallback, exchange.rules.settings)))
        }
    }

    private var health: ServiceAnswer {
        isStopping.withLock { $0 } ? .text("stopping", status: 503) : .text("ok", status: 200)
    }

    private var metricsAnswer: ServiceAnswer {
        let text = metrics.text([
            "queue_waiting": queue.waitingCount, "queue_running": queue.runningCount, "making": admission.count,
            "resident_bytes": ServiceMetrics.residentBytes, "lost_log_lines": log.lostCount,
        ])
        return ServiceAnswer(
            status: 200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")], body: Data(text.utf8))
    }

    private func picture(_ recipe: ResultRecipe, _ address: ServiceAddress, _ exchange: Exchange) async -> PictureAnswer
    {
        let (outcome, isJoined) = await pipeline.result(of: recipe)
        switch outcome {
        case .success(let (result, origin)):
            var options = address.options
            if options.fileName == nil { options.fileName = Self.fileName(of: recipe.source) }
            return PictureAnswer(
                result, from: isJoined && origin == .made ? "joined" : origin.rawValue, options, exchange)
        case .failure(let error): return .error(error, fallback, exchange.rules.settings)
        }
    }

    /// The name of a source's file without its ending; nil where the source has none.
    private static func fileName(of source: URL) -> String? {
        let name = source.deletingPathExtension().lastPathComponent
        return name.isEmpty || name == "/" ? nil : name
    }

    private func purge(_ source: String, _ exchange: Exchange) async -> PictureAnswer {
        do {
            let url = try exchange.rules.sources.url(for: source)
            try await pipeline.purge(exchange.rules.sources.key(of: url))
            metrics.notePurge()
            return PictureAnswer(.text("purged", status: 200))
        } catch let error as AddressError {
            return .error(ServiceError(error), nil, exchange.rules.settings)
        } catch {
            return .error(
                ServiceError(503, "purged here; the shared memory hears of it later: \(error)"), nil,
                exchange.rules.settings)
        }
    }

    private func finish(_ exchange: Exchange, _ answer: PictureAnswer) -> ServiceAnswer {
        var sent = answer.answer
        sent.headers.append(("X-Request-Id", exchange.id))
        let seconds = exchange.start.duration(to: .now) / .seconds(1)
        let bytes = exchange.request.method == "HEAD" ? 0 : sent.body.count
        metrics.noteAnswer(
            status: sent.status, format: answer.format?.description.lowercased(), origin: answer.origin, bytes: bytes,
            seconds: seconds)
        log.note(
            AccessLog.Entry(
                time: exchange.date.formatted(.iso8601), id: exchange.id, client: exchange.client,
                method: exchange.request.method, target: exchange.request.target, status: sent.status, bytes: bytes,
                milliseconds: (seconds * 1e6).rounded() / 1000, from: answer.origin,
                format: answer.format?.description.lowercased(), error: answer.error))
        return sent
    }
}
