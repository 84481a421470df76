import WebImageCore

/// The helper programs of the app, one for each role, each started for the first picture that needs it. Any thread.
package struct DecoderPrograms: WorkerSource {
    let pictures: DecoderProcess
    private let videos: DecoderProcess

    init(path: String, requiredLevel: DecoderIsolation.Level) {
        let notice = LevelNotice()
        func process(_ role: HelperRole) -> DecoderProcess {
            DecoderProcess(path: path, role: role, requiredLevel: requiredLevel, notice: notice)
        }
        pictures = process(.pictures)
        videos = process(.videos)
    }

    package func makeWorker(
        for kind: DecoderKind, limits: ImageLimits
    ) throws(WebImageError) -> any WorkerConnection {
        switch HelperRole(for: kind) {
        case .pictures: try pictures.makeWorker(for: kind, limits: limits)
        case .videos: try videos.makeWorker(for: kind, limits: limits)
        }
    }

    package func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        try pictures.makeBuffer(byteCount: byteCount)
    }
}
