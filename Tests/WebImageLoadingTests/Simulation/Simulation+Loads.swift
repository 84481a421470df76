import FoundationEssentials
import WebImageCore
import WebImageLoading

/// The loads of a simulation: their requests, and the manager's interfaces that they use.
extension Simulation {
    func makeLoad(_ request: SimulatedRequest, isAwaited: Bool = false, isOfView: Bool = false) -> ObservedLoad {
        let didEnd = didBegin()
        let load = loads.add {
            ObservedLoad($0, request, isAwaited: isAwaited, isOfView: isOfView, in: self, didEnd: didEnd)
        }
        request.add(load)
        load.note("wants \(request.wish)")
        return load
    }

    /// The request of another running load, or a new one.
    func request(answeringItself mayAnswer: Bool = true) -> SimulatedRequest {
        if schedule.chance(40), let load = schedule.pick(loads.running), mayAnswer || load.wish.interception != .answer
        {
            return load.request
        }
        var wish = wish()
        if !mayAnswer, wish.interception == .answer { wish.interception = .none }
        return SimulatedRequest(wish, hasDelegate: delegate != nil, transformer: transformer, schedule)
    }

    private func wish() -> SimulatedRequest.Wish {
        let often: [WebImageOptions] = [
            .refreshCached, .progressiveLoad, .retryFailed, .waitStoreCache, .queryMemoryData, .lowPriority,
            .highPriority,
        ]
        let rarely: [WebImageOptions] = [
            .fromCacheOnly, .fromLoaderOnly, .queryDiskDataSync, .queryMemoryDataSync, .avoidAutoCancelImage,
            .delayPlaceholder, .avoidAutoSetImage,
        ]
        var wish = SimulatedRequest.Wish(address: schedule.random(below: server.addressCount))
        for option in often where schedule.chance(25) { wish.options.insert(option) }
        for option in rarely where schedule.chance(6) { wish.options.insert(option) }
        wish.isThumbnail = schedule.chance(30)
        wish.isTransformed = schedule.chance(30)
        if schedule.chance(25), let tiers = schedule.pick(SimulatedTiers.allCases) { wish.tiers = tiers }
        if schedule.chance(30), let deed = schedule.pick(SimulatedInterceptor.Deed.allCases) {
            // Without a clock, nothing would ever end it.
            wish.interception = deed == .hang && clock == nil ? .none : deed
        }
        return wish
    }

    func beginLoad() {
        guard let manager = currentManager else { return }
        let face = schedule.random(below: 4)
        let load = makeLoad(request(), isAwaited: face == 0)
        switch face {
        case 0: awaitResult(load, manager)
        case 1: awaitEvents(load, manager)
        default:
            let callbacks = LoadCallbacks(
                progress: { load.progressed($0) }, received: { load.received($0) }, completed: { load.completed($0) })
            if let operation = start(load, callbacks, schedule.chance(50) ? .anywhere : nil) { load.began(operation) }
        }
    }

    /// - Parameter place: The place of callbacks; nil for the place where the load ends.
    func start(_ load: ObservedLoad, _ callbacks: LoadCallbacks, _ place: SchedulePlace?) -> LoadOperation? {
        guard let manager = currentManager else {
            load.gaveUp()
            return nil
        }
        return manager.start(load.request.imageRequest(calledBackOn: queue(at: place)), callbacks)
    }

    private func queue(at place: SchedulePlace?) -> CallbackQueue {
        guard let place else { return .current }
        return CallbackQueue { [schedule] callback in
            if place == .main, schedule.isOnMain { return callback() }
            schedule.add(place, "a callback is called", callback)
        }
    }

    private func awaitResult(_ load: ObservedLoad, _ manager: WebImageManager) {
        let request = load.request.imageRequest()
        let task = Task(executorPreference: executor) {
            do throws(WebImageError) {
                load.completed(.success(try await manager.result(for: request) { load.progressed($0) }))
            } catch {
                load.completed(.failure(error))
            }
        }
        load.began(task)
    }

    private func awaitEvents(_ load: ObservedLoad, _ manager: WebImageManager) {
        let request = load.request.imageRequest()
        let patience = schedule.random(below: 12)
        let task = Task(executorPreference: executor) {
            do throws(WebImageError) {
                let hasEnded = try await Self.listen(to: manager.events(for: request), load, patience: patience)
                if !hasEnded { load.gaveUp() }
            } catch {
                load.completed(.failure(error))
            }
        }
        load.began(task)
    }

    /// Stops after this many events, unless the load ends before; returns whether it did.
    private static func listen(
        to events: some AsyncSequence<LoadEvent, WebImageError> & Sendable, _ load: ObservedLoad, patience: Int
    ) async throws(WebImageError) -> Bool {
        var iterator = events.makeAsyncIterator()
        for _ in 0..<patience {
            switch try await iterator.next(isolation: nil) {
            case .progress(let progress): load.progressed(progress)
            case .cached(let result): load.received(.cached(result))
            case .preview(let result): load.received(.preview(result))
            case .partial(let image): load.received(.partial(image))
            case .finished(let result):
                load.completed(.success(result))
                load.check(try await iterator.next(isolation: nil) == nil, "an event after the last")
                return true
            // A cancelled task gets no more events.
            case nil: return false
            }
        }
        return false
    }

    func listenLate() {
        guard let load = schedule.pick(loads.running), let operation = load.operation else { return }
        Task(executorPreference: executor) {
            var iterator = operation.events.makeAsyncIterator()
            while let event = try? await iterator.next(isolation: nil) {
                guard case .finished = event else { continue }
                let hasMore = try? await iterator.next(isolation: nil) != nil
                load.check(hasMore == false, "an event after the last")
            }
        }
    }
}
