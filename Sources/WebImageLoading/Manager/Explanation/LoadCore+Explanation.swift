import FoundationEssentials
import WebImageCore
import WebImageHTTP

extension LoadCore {
    /// The explanation of ``start(_:_:_:)`` for `request`.
    func explain(_ request: ImageRequest, settings: LoadSettings) -> LoadExplanation {
        var explanation = LoadExplanation(request: settings.filling(request))
        for interceptor in settings.chain {
            guard explanation.ask(interceptor) else { break }
        }
        guard let url = explanation.request.url, !url.absoluteString.isEmpty else {
            if !explanation.isAnswered { explanation.refusal = .noURL }
            return explanation
        }
        let plan = LoadPlan(
            url: url, request: explanation.request, defaults: defaults, isOffline: settings.values.isOffline)
        explanation.keys = LoadExplanation.Keys(plan.keys)
        guard !explanation.isAnswered else { return explanation }
        explanation.refusal = refusal(of: url, explanation.request.options)
        guard explanation.refusal == nil else { return explanation }
        explanation.follow(plan, LoadStages(plan: plan, shared: shared, settings: settings))
        let situation = LoadSituation(
            asked: request, plan: plan, settings: settings, failedBefore: shared.failedURLs[url] != nil)
        explanation.findings = situation.findings
        return explanation
    }
}

extension LoadExplanation {
    /// Whether an interceptor ends the load.
    var isAnswered: Bool {
        if case .answers = interceptions.last?.effect { return true }
        return false
    }

    /// Calls an interceptor; returns whether the load continues.
    fileprivate mutating func ask(_ interceptor: any LoadInterceptor) -> Bool {
        let effect: Interception.Effect
        switch interceptor.intercept(request) {
        case .proceed(let changed):
            let changes = request.changes(to: changed)
            effect = changes.isEmpty ? .unchanged : .changes(changes)
            request = changed
        case .finish(let outcome): effect = .answers(isPicture: (try? outcome.get()) != nil)
        case .around: effect = .takesOver
        }
        let named: Any = (interceptor as? OptionsProcessorInterceptor)?.processor ?? interceptor
        interceptions.append(Interception(interceptor: "\(type(of: named))", effect: effect))
        return !isAnswered
    }
}
