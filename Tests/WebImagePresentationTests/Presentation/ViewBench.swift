import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// A view with a manager whose cache, loader and coder the test controls.
@MainActor
struct ViewBench {
    let manager: ManagerBench
    let surface = ScriptedSurface()
    let view: ViewCoordinator<ScriptedSurface>

    init(manager: ManagerBench = ManagerBench(), queue: CallbackQueue = .main) {
        self.manager = manager
        view = ViewCoordinator(surface: surface, queue: queue)
    }

    /// The events since the last call.
    func story() -> [String] {
        defer { surface.story = [] }
        return surface.story
    }

    /// A load of `http://host/name` for the view called `place`; without a name, without a URL.
    @discardableResult
    func load(
        _ name: String? = "a.jpg", _ options: WebImageOptions = [], place: ViewLoadKey = .image,
        placeholder: Image? = nil,
        configure: (inout WebImageContext) -> Void = { _ in },
        change: (inout ViewLoadRequest<String>) -> Void = { _ in },
        completed: @escaping (Result<LoadResult, WebImageError>) -> Void = { _ in },
        progress: ViewLoadRequest<String>.Progress? = nil
    ) throws -> LoadRecorder {
        let recorder = LoadRecorder()
        var context = WebImageContext()
        context.manager = manager.manager
        configure(&context)
        let label = name ?? "no URL"
        var request = ViewLoadRequest(
            view: place.name, place: place, url: try name.map { try ManagerBench.url($0) }, placeholder: placeholder,
            options: options, context: context, progress: progress,
            completed: { [surface] result in
                surface.story.append("\(label) \(Self.word(for: result))")
                completed(result)
                recorder.completed(result)
            })
        change(&request)
        _ = view.load(request)
        return recorder
    }

    /// The same, to its end; the next started transfer gets `data`.
    @discardableResult
    func load(
        _ name: String = "a.jpg", _ options: WebImageOptions = [], sending data: Data, placeholder: Image? = nil,
        configure: (inout WebImageContext) -> Void = { _ in }
    ) async throws -> Result<LoadResult, WebImageError> {
        let next = manager.loader.loads.count + 1
        let recorder = try load(name, options, placeholder: placeholder, configure: configure)
        try await manager.transfer(next).finish(data)
        return await recorder.outcome()
    }

    /// A `setImage` closure that records its arguments.
    func setter(_ label: String) -> ViewLoadRequest<String>.SetImage {
        { [surface] image, data, cacheType, url in
            let source = data == nil ? "no file" : "a file"
            surface.story.append(
                "\(label) sets \(ScriptedSurface.name(of: image)), \(source), \(cacheType), \(url?.lastPathComponent ?? "-")"
            )
        }
    }

    private static func word(for result: Result<LoadResult, WebImageError>) -> String {
        switch result {
        case .success(let success): "brought \(ScriptedSurface.name(of: success.image)) from \(success.cacheType)"
        case .failure(let error): "failed with \(error.code.rawValue)"
        }
    }
}

extension WebImageError {
    static let scriptedFailure = WebImageError(
        .transferFailed, stage: .load, kind: .transient, reason: "scripted failure")
}
