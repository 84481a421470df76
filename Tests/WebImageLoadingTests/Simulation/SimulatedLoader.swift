import FoundationEssentials
import Synchronization

@testable import WebImageCore

/// A stepped network: loads of one address share a transfer, which arrives in parts and may fail at each.
final class SimulatedLoader: ImageLoader {
    /// The way the server answers that it has nothing newer.
    enum Comparison: CaseIterable {
        case never, byImage, byValidator
    }

    private final class Transfer: Sendable {
        struct State {
            var tasks: [SimulatedLoadTask] = []
            /// The server's picture when it began to answer.
            var picture: SimulatedPicture?
            var byteCount = 0
            var failure: WebImageError?
        }

        let address: Int
        let results = SharedResults()
        let state = Mutex(State())

        init(address: Int) { self.address = address }
    }

    private let schedule: any Schedule
    private let server: SimulatedServer
    private let comparison: Comparison
    private let transfers = Mutex<[Int: Transfer]>([:])

    init(_ schedule: any Schedule, _ server: SimulatedServer) {
        self.schedule = schedule
        self.server = server
        comparison = schedule.pick(Comparison.allCases) ?? .never
    }

    static func url(_ address: Int) -> URL { URL(string: "http://host/\(address)") ?? URL(filePath: "/") }
    static func address(of url: URL) -> Int { Int(url.lastPathComponent) ?? 0 }

    /// The number of transfers with a waiting load.
    var transferCount: Int { transfers.withLock { $0.count } }

    func canLoad(_ url: URL) -> Bool {
        schedule.interleave()
        return true
    }

    func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool {
        schedule.interleave()
        return error.code == .badImageData
    }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let task = SimulatedLoadTask(request, schedule, receive) { [weak self] in self?.leave($0) }
        task.asked?.loaderIsAsked(task)
        defer { task.asked?.loaderReturned(task) }
        schedule.interleave()
        if schedule.chance(10) {
            answerAtOnce(task)
        } else {
            join(task)
        }
        schedule.interleave()
        return task
    }

    /// Like a loader with the bytes in memory: before `load` returns.
    private func answerAtOnce(_ task: SimulatedLoadTask) {
        let picture = server.picture(at: task.address)
        task.asked?.note("is answered at once with \(picture)")
        finish(task, .success(picture), results: nil)
    }

    private func join(_ task: SimulatedLoadTask) {
        let (transfer, isNew) = transfers.withLock { transfers in
            if let transfer = transfers[task.address] {
                transfer.state.withLock { $0.tasks.append(task) }
                return (transfer, false)
            }
            let transfer = Transfer(address: task.address)
            transfer.state.withLock { $0.tasks = [task] }
            transfers[task.address] = transfer
            return (transfer, true)
        }
        task.asked?.note(isNew ? "begins a transfer" : "joins a transfer")
        if isNew { goOn(transfer) }
        // Cancelled before it had joined.
        if task.isOver { leave(task) }
    }

    private func leave(_ task: SimulatedLoadTask) {
        transfers.withLock { transfers in
            let isAbandoned = transfers[task.address]?.state.withLock { state in
                state.tasks.removeAll { $0 === task }
                return state.tasks.isEmpty
            }
            if isAbandoned == true { transfers[task.address] = nil }
        }
    }

    private func goOn(_ transfer: Transfer) {
        schedule.add(.anywhere, "the transfer of \(transfer.address) goes on") { self.step(transfer) }
    }

    private func step(_ transfer: Transfer) {
        let isUnderWay = transfers.withLock { $0[transfer.address] === transfer }
        guard isUnderWay else { return }
        let roll = schedule.random(below: 100)
        let current = server.picture(at: transfer.address)
        let (tasks, picture, byteCount) = transfer.state.withLock { state in
            let picture = state.picture ?? current
            state.picture = picture
            state.byteCount = min(SimulatedPicture.byteCount, state.byteCount + 4)
            return (state.tasks, picture, state.byteCount)
        }
        if roll < 12 { return end(transfer, .failure(failure(roll))) }
        if schedule.isAlone { for task in tasks { task.asked?.checkWantsTransfer() } }
        for task in tasks { task.tell(picture.file.prefix(byteCount)) }
        if byteCount == SimulatedPicture.byteCount { return end(transfer, .success(picture)) }
        goOn(transfer)
    }

    private func failure(_ roll: Int) -> WebImageError {
        let code: WebImageError.Code = [.connectionLost, .invalidDownloadStatusCode, .timedOut, .cancelled][roll % 4]
        if code == .cancelled { return .cancelled() }
        return WebImageError(code, stage: .load, kind: .transient, reason: "the network failed")
    }

    private func end(_ transfer: Transfer, _ result: Result<SimulatedPicture, WebImageError>) {
        let tasks = transfers.withLock { transfers in
            if transfers[transfer.address] === transfer { transfers[transfer.address] = nil }
            return transfer.state.withLock { state in
                defer { state.tasks = [] }
                return state.tasks
            }
        }
        for task in tasks { finish(task, result, results: transfer.results) }
    }

    private func finish(
        _ task: SimulatedLoadTask, _ result: Result<SimulatedPicture, WebImageError>, results: SharedResults?
    ) {
        switch result {
        case .failure(let error): task.finish(.failure(error), .failure(error.code))
        case .success(let picture) where isKnown(picture, to: task):
            var error = WebImageError(.cacheNotModified, stage: .load, kind: .permanent, reason: "nothing new")
            error.response = response(picture, 304)
            task.finish(.failure(error), .notModified(picture))
        case .success(let picture):
            var response = ImageLoadResponse(data: picture.file, http: response(picture, 200))
            response.sharedResults = results
            task.finish(.success(response), .picture(picture))
        }
    }

    private func isKnown(_ picture: SimulatedPicture, to task: SimulatedLoadTask) -> Bool {
        switch comparison {
        case .never: false
        case .byImage: task.request.cachedImage.map { SimulatedPicture($0).version == picture.version } ?? false
        case .byValidator:
            task.request.validators.contains { $0.key.lowercased() == "if-none-match" && $0.value == tag(picture) }
        }
    }

    private func response(_ picture: SimulatedPicture, _ status: Int) -> HTTPResponse {
        HTTPResponse(url: Self.url(picture.address), statusCode: status, headers: ["etag": tag(picture)])
    }

    private func tag(_ picture: SimulatedPicture) -> String { "\"\(picture)\"" }
}
