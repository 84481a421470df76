import WebImagePresentation

/// A list of a fictitious toolkit. Where it holds loads, only memory answers at once, and all others begin when the test
/// moves their views.
@MainActor
final class ScriptedAdmission: LoadAdmitting {
    var holdsLoads = false
    private var requests: [ViewLoadID: AdmissionRequest] = [:]

    nonisolated init() {}

    func admit(_ request: AdmissionRequest, for view: String) -> LoadAdmission {
        holdsLoads && holds(request) ? .later : .now(nil)
    }

    func admitReload(_ request: AdmissionRequest) -> Bool { !holdsLoads || !holds(request) }

    func withdraw(_ id: ViewLoadID) { requests[id] = nil }

    /// Moves the views of all loads that have not ended, the oldest first.
    func move(to visibility: ViewVisibility) {
        for request in requests.values.sorted(by: { $0.id < $1.id }) { request.move(visibility) }
    }

    /// A load that asks a second time has its turn.
    private func holds(_ request: AdmissionRequest) -> Bool {
        guard requests[request.id] == nil, !request.isInMemory(nil) else { return false }
        requests[request.id] = request
        return true
    }
}
