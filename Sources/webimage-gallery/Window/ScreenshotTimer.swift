import CGtk4
import WebImage

/// Waits for the right moments to write screenshots, and for the program's end.
final class ScreenshotTimer {
    private let window: GalleryWindow
    private let options: GalleryOptions
    /// Called once, with the error, if there was one.
    private let finish: (String?) -> Void
    private let start = ContinuousClock.now
    private var hasLoadingScreenshot = false
    private var isFinished = false

    /// Longer than the fade: the window is at rest afterwards.
    private static let restAfter = Duration.milliseconds(1200)
    private static let missedLoading =
        "--loading-screenshot: there was no moment for it; try --slow, and an empty --cache"

    /// The longest wait for a screenshot without `--seconds`.
    private static let patience = 120.0
    /// Additional seconds for a window that is about to be drawn.
    private static let grace = 5.0

    init(_ window: GalleryWindow, _ options: GalleryOptions, finish: @escaping (String?) -> Void) {
        self.window = window
        self.options = options
        self.finish = finish
        hasLoadingScreenshot = options.loadingScreenshot == nil
        guard options.screenshot != nil || options.loadingScreenshot != nil || options.seconds != nil else { return }
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, 50,  // before drawing: a busy renderer must not make it miss the moment
            { data in
                guard let data else { return 0 }
                return Unmanaged<ScreenshotTimer>.fromOpaque(data).takeUnretainedValue().look() ? 1 : 0
            },
            Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<ScreenshotTimer>.fromOpaque(data).release()
            })
    }

    /// The screenshots that were requested and not taken when the window was closed.
    var missed: String? {
        guard !isFinished, let path = hasLoadingScreenshot ? options.screenshot : options.loadingScreenshot else {
            return nil
        }
        return "\(path): the window was closed before there was a screenshot"
    }

    /// Whether to look again.
    private func look() -> Bool {
        let cells = window.visibleCells
        if !hasLoadingScreenshot, isHalfWay(cells) {
            guard take(options.loadingScreenshot) else { return !isFinished }
            hasLoadingScreenshot = true
        }
        // Pictures near the visible ones are loaded after them; those that are far away wait.
        let near = window.boundCells.filter { $0.settledAt != nil }
        let isReady = options.screenshot != nil && isAtRest(cells) && isAtRest(near) && isPageAtRest
        guard isReady || elapsed >= limit else { return true }
        guard take(options.screenshot) else { return !isFinished }
        end(hasLoadingScreenshot ? nil : Self.missedLoading)
        return false
    }

    /// Seconds after which the program ends in any case.
    private var limit: Double { options.seconds ?? (options.screenshot == nil ? .infinity : Self.patience) }

    private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

    private func isAtRest(_ cells: [PictureCell]) -> Bool {
        !cells.isEmpty
            && cells.allSatisfy { cell in cell.settledAt.map { ContinuousClock.now - $0 > Self.restAfter } ?? false }
    }

    /// A picture that is open is there.
    private var isPageAtRest: Bool {
        let browsing = window.pages.browsing(of: window.pages.current)
        return !browsing.isOpen || browsing.settledAt.map { ContinuousClock.now - $0 > Self.restAfter } ?? false
    }

    /// Half of the pictures are there, some of them fading in, and others are being loaded; or three quarters are
    /// there, so that it will not become better.
    private func isHalfWay(_ cells: [PictureCell]) -> Bool {
        let ages = cells.compactMap(\.settledAt).map { (ContinuousClock.now - $0) / .milliseconds(1) }
        guard ages.count * 2 >= cells.count, ages.count < cells.count else { return false }
        return ages.count { (250...600).contains($0) } >= 2 || ages.count * 4 >= cells.count * 3
    }

    /// Writes the window to a file if one was requested. False when it was not written: either it may succeed later, or
    /// the program ends.
    private func take(_ path: String?) -> Bool {
        guard let path else { return true }
        switch Screenshot.write(window.window, to: path) {
        case .written: return true
        case .notDrawn where elapsed < limit + Self.grace: return false
        case .notDrawn: end("\(path): the window is not drawn, so there is nothing to write; is it on the screen?")
        case .failed(let reason): end("\(path): the screenshot could not be written: \(reason)")
        }
        return false
    }

    private func end(_ problem: String?) {
        guard !isFinished else { return }
        isFinished = true
        finish(problem)
    }
}
