import WebImageCore

/// When the loads of a view begin: once its size is known, and in the order of its scroller.
extension SurfaceDisplay: LoadAdmitting {
    var admission: SurfaceDisplay { self }

    func admit(_ request: AdmissionRequest, for view: SurfaceDisplay) -> LoadAdmission {
        guard let surface else { return .now(nil) }
        let placement = request.takesViewSize ? surface.placement : nil
        guard placement?.awaitsSize != true else {
            waitingForSize[request.id] = request.resume
            return .later
        }
        let box = placement?.box
        return scroller?.admits(request, for: box, of: surface) ?? true ? .now(box) : .later
    }

    func admitReload(_ request: AdmissionRequest) -> Bool {
        guard let scroller, let surface else { return true }
        return scroller.admits(request, for: nil, of: surface)
    }

    func withdraw(_ id: ViewLoadID) {
        waitingForSize[id] = nil
        scroller?.withdraw(id)
    }

    /// The view may have a size now.
    func resumeWaitingLoads() {
        let waiting = waitingForSize.sorted { $0.key < $1.key }
        waitingForSize = [:]
        for load in waiting { load.value() }
    }
}
