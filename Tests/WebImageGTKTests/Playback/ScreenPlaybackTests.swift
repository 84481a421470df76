import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Animations in a real window, in real time, as the X server shows them.
final class ScreenPlaybackTests: GTKTestCase, @unchecked Sendable {
    /// S4-11, A79: a file of each format, all playing beside each other.
    func testThreeAnimationsAreSeenInOrderAndInTime() throws {
        try onMainThread {
            try requireDisplay()
            let scene = try ScreenPlayback(
                [
                    SeenAnimation(.gif, [100, 150, 200, 120]), SeenAnimation(.png, [90, 90, 90]),
                    SeenAnimation(.webP, [250, 60, 130]),
                ], self)
            defer { scene.stage.close() }
            scene.play()
            iterate(
                until: {
                    scene.look()
                    return scene.animations.allSatisfy { $0.changes.count > 2 * $0.colours.count }
                }, "two plays of each")
            for animation in scene.animations { assertInOrderAndInTime(animation, in: scene) }
        }
    }

    @MainActor
    private func assertInOrderAndInTime(_ animation: SeenAnimation, in scene: ScreenPlayback) {
        let name = "\(animation.format): \(animation.changes)"
        let dates = animation.dates(from: scene.start)
        XCTAssertEqual(animation.changes.first?.index, 0, name)
        // What came and went while the main loop stood still was not seen.
        XCTAssertLessThanOrEqual(animation.missedCount, 2 * scene.stallCount, name)
        let delays = zip(animation.changes, dates).map { $0.time - $1 }.sorted()
        XCTAssertGreaterThanOrEqual(delays.first ?? .zero, .zero, "a frame is seen before its time; \(name)")
        // The screen's next frame and a look at it; other work of the machine may delay some of the frames.
        XCTAssertLessThan(delays[delays.count / 2], .milliseconds(60), name)
    }
}

/// A window in which animations play, and what is seen of them.
@MainActor
private final class ScreenPlayback {
    let stage: ScreenStage
    private(set) var animations: [SeenAnimation]
    private(set) var start = Duration.zero
    private var lastLook: Duration?
    /// How often other work of the machine kept the main loop from a look.
    private(set) var stallCount = 0
    private let pictures: [UnsafeMutablePointer<GtkWidget>]

    private static let side = 40

    init(_ animations: [SeenAnimation], _ test: GTKTestCase) throws {
        self.animations = animations
        let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        pictures = animations.map { _ in gtk_picture_new() }
        for picture in pictures {
            gtk_widget_set_size_request(picture, Int32(Self.side), Int32(Self.side))
            gtk_box_append(box.of(GtkBox.self), picture)
        }
        stage = try ScreenStage(PixelSize(width: Self.side * animations.count, height: Self.side), box, nil, test)
    }

    /// Every frame is to be seen, however busy the machine is.
    func play() {
        start = MainQueueClock.shared.now
        for (picture, animation) in zip(pictures, animations) {
            PictureView(picture).playback.lateFramePolicy = .neverSkip
            PictureView(picture).image = animation.image
        }
    }

    /// Notes the frames that are seen now.
    func look() {
        guard let pixels = stage.grab() else { return }
        let now = MainQueueClock.shared.now
        if let lastLook, now - lastLook > .milliseconds(40) { stallCount += 1 }
        lastLook = now
        let (y, side) = (pixels.size.height / 2, pixels.size.width / animations.count)
        for index in animations.indices { animations[index].note(pixels[side * index + side / 2, y], at: now) }
    }
}

/// An animation whose frames have one colour each, and when they were seen.
private struct SeenAnimation {
    let format: ImageFormat
    let image: Image
    let colours: [Colour]
    private let durations: [Duration]
    /// Each frame when it was seen first.
    private(set) var changes: [(index: Int, time: Duration)] = []

    init(_ format: ImageFormat, _ milliseconds: [Int]) throws {
        self.format = format
        colours = Array([.red, .green, .blue, Colour(red: 255, green: 255, blue: 0)].prefix(milliseconds.count))
        durations = milliseconds.map { .milliseconds($0) }
        let frames = try zip(colours, durations).map { colour, duration in
            ImageFrame(bitmap: try colour.image(width: 48, height: 48).bitmap, duration: duration)
        }
        var options = ImageEncodeOptions()
        options.isLossless = true
        let coders = ImageCodersManager.shared
        let file = try coders.encode(frames, loopCount: 0, to: format, options: options)
        image = try coders.decode(file, options: ImageDecodeOptions())
    }

    mutating func note(_ colour: SIMD4<Float>, at time: Duration) {
        let index = colours.firstIndex { expected in
            let channels = SIMD4<Float>(expected.channels.map { Float($0) })
            return (0..<3).allSatisfy { abs(channels[$0] - colour[$0]) < 24 }
        }
        guard let index, index != changes.last?.index else { return }
        changes.append((index, time))
    }

    /// The number of frames that were not seen between others.
    var missedCount: Int {
        zip(changes, changes.dropFirst()).map { ($1.index - $0.index - 1 + colours.count) % colours.count }.reduce(0, +)
    }

    /// When the frames that were seen were due.
    func dates(from start: Duration) -> [Duration] {
        var (date, index) = (start, 0)
        return changes.map { change in
            while index != change.index {
                date += durations[index]
                index = (index + 1) % colours.count
            }
            return date
        }
    }
}
