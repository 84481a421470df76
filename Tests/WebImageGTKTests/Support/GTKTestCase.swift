import CGtk4
import Dispatch
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Shared by the tests of this target. They use XCTest because it runs them on the real main thread, as GTK needs.
///
/// `@unchecked Sendable`: XCTest creates an object for each test and uses it on one thread, and none has any state.
class GTKTestCase: XCTestCase, @unchecked Sendable {
    /// Without it, even drawing to memory crashes. Only its first result is meaningful.
    @MainActor private static let isInitialized = {
        // Widgets then store their accessible properties without an accessibility bus, unless a test has one.
        if getenv(AccessibilityBus.variable) == nil { setenv("GTK_A11Y", "test", 1) }
        // The bus of a desktop knows other runs and the person's own gallery, and its portals ask the person.
        if !ChildTest.isChild { setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1) }
        // Sound plays into the void, whatever the machine has: GStreamer's choice among no devices.
        setenv("GST_PLUGIN_FEATURE_RANK", audioSinks.map { "\($0):NONE" }.joined(separator: ","), 0)
        MemoryPressure.shared.ignoreSource()
        return GTKLog.isInstalled && gtk_init_check() != 0
    }()

    private static let audioSinks = [
        "alsasink", "jackaudiosink", "openalsink", "oss4sink", "osssink", "pipewiresink", "pulsesink",
    ]

    /// The maximum seconds for a condition, which nobody waits for where it holds: a busy machine may take several
    /// times as long. Under a sanitizer, drawing does so, too.
    private static let patience = Sanitizer.isActive ? 200 : 60

    /// Any warning of GTK fails the test.
    override func invokeTest() {
        _ = GTKLog.takeComplaints()
        super.invokeTest()
        for complaint in GTKLog.takeComplaints() { XCTFail("GTK complains: \(complaint)") }
    }

    /// Test methods are not isolated themselves, because the test discovery of SwiftPM 6.3 crashes on a class whose
    /// methods all are.
    func onMainThread(_ body: @MainActor () throws -> Void) rethrows {
        try MainActor.assumeIsolated(body)
    }

    /// Runs what is ready. On a slow machine, an animation always has its next frame ready: the number of turns is limited.
    @MainActor
    func iterateWhatIsReady() {
        var turnCount = 0
        while turnCount < 200, g_main_context_iteration(nil, 0) != 0 { turnCount += 1 }
    }

    @MainActor
    func initializeGTK() {
        _ = Self.isInitialized
    }

    @MainActor
    func requireDisplay() throws {
        initializeGTK()
        guard gdk_display_get_default() != nil else {
            throw XCTSkip("there is no display; run the tests under xvfb-run")
        }
        MainLoopBridge.install()
    }

    /// A Wayland compositor without input devices has no seat, and GTK opens no menu there.
    @MainActor
    func requireSeat() throws {
        try requireDisplay()
        guard gdk_display_get_default_seat(gdk_display_get_default()) != nil else {
            throw XCTSkip("the display has no seat, as of a compositor without input devices: nothing opens a menu")
        }
    }

    /// Reports, at the end of a test, that OpenGL's drawing was not checked.
    @MainActor
    func requireOpenGL() throws {
        guard OffscreenRenderer.openGL == nil else { return }
        throw XCTSkip("there is no OpenGL here: what cairo draws was compared, and nothing else")
    }

    /// Runs the main loop until `condition` holds, for at most `patience`.
    @MainActor
    func iterate(
        until condition: () throws -> Bool, _ what: String, file: StaticString = #filePath, line: UInt = #line
    ) rethrows {
        let deadline = DispatchTime.now() + .seconds(Self.patience)
        // Wakes the loop, so that the deadline is checked. At the lowest priority: when a condition takes longer than
        // the timer, for instance by comparing many pixels, a timer before the frames would starve them.
        let timer = g_timeout_add_full(G_PRIORITY_LOW, 20, { _ in 1 }, nil, nil)
        defer { g_source_remove(timer) }
        while try !condition() {
            guard DispatchTime.now() < deadline else {
                return XCTFail(
                    "the main loop ran for \(Self.patience) seconds without this: \(what)", file: file, line: line)
            }
            g_main_context_iteration(nil, 1)
        }
    }

    /// Blocks the main loop until other threads have made `condition` true, for at most `patience`.
    func wait(_ what: String, file: StaticString = #filePath, line: UInt = #line, until condition: () -> Bool) {
        let deadline = DispatchTime.now() + .seconds(Self.patience)
        while !condition() {
            guard DispatchTime.now() < deadline else {
                return XCTFail("\(Self.patience) seconds went by without this: \(what)", file: file, line: line)
            }
            // The threads that are waited for may need this core.
            poll(nil, 0, 1)
        }
    }

    func assertEqual(
        _ colour: Colour, _ expected: Colour, accuracy: Int = 2, file: StaticString = #filePath, line: UInt = #line
    ) {
        let differences = zip(colour.channels, expected.channels).map { abs(Int($0) - Int($1)) }
        XCTAssertLessThanOrEqual(
            differences.max() ?? 0, accuracy, "\(colour.channels) is not \(expected.channels)", file: file, line: line)
    }
}

/// A manager whose loads end when the test says so, with a cache and a coder of the tests' own.
struct TestStage {
    let loader = SuspendedLoader()
    let cache = SuspendedCache()
    let manager: WebImageManager

    init() { manager = WebImageManager(cache: cache, loader: loader, coder: ColourCoder()) }

    var context: WebImageContext {
        var context = WebImageContext()
        context.manager = manager
        return context
    }

    /// An address for each name.
    func url(_ name: String) -> URL { URL(filePath: "/").appending(path: name).web }

    /// The loads that have neither ended nor been cancelled.
    var pending: [SuspendedLoad] { loader.loads.filter { !$0.isEnded } }

    /// Ends all running loads of `url`.
    func finish(_ url: URL, _ colour: Colour) {
        for load in loader.loads(of: url) { load.finish(colour.file) }
    }
}

extension URL {
    /// The same path on a host that does not exist; no test connects to it.
    fileprivate var web: URL {
        guard let url = URL(string: "http://pictures.invalid\(path)") else { return self }
        return url
    }
}

extension WebImageError {
    static let scripted = WebImageError(.transferFailed, stage: .load, kind: .transient, reason: "scripted failure")
}
