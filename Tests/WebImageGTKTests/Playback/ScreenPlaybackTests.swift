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
            var faults: [String] = []
            // The clock is that of the machine, whose other work may spoil a run.
            for _ in 0..<3 {
                faults = try faultsOfARun()
                if faults.isEmpty { return }
            }
            XCTFail(faults.joined(separator: "; "))
        }
    }

    @MainActor
    private func faultsOfARun() throws -> [String] {
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
        return scene.animations.flatMap { faults(of: $0, in: scene) }
    }

    /// The frames that the player sets are compared with the durations, and the visible frames with those that the
    /// player sets: a stall of the main loop delays all that the player sets after it.
    @MainActor
    private func faults(of animation: SeenAnimation, in scene: ScreenPlayback) -> [String] {
        let name = "\(animation.format): set \(animation.settings), seen \(animation.changes)"
        guard let places = animation.settingsOfChanges else { return ["a frame is seen before it is set; \(name)"] }
        var faults: [String] = []
        if animation.changes.first?.index != 0 { faults.append("the first frame is not seen") }
        if !animation.isInOrder { faults.append("the player leaves out a frame") }
        if animation.earliness(from: scene.start) > .zero { faults.append("a frame is set before its time") }
        if animation.medianLateness >= .milliseconds(40) { faults.append("the player is late") }
        // The screen's next frame and a look at it; other work of the machine may delay some of the frames.
        if animation.medianDelay(of: places) >= .milliseconds(60) { faults.append("frames are seen late") }
        if animation.hasMissed(between: places, looks: scene.looks) { faults.append("a frame is not seen") }
        return faults.map { "\($0); \(name)" }
    }
}

/// A window in which animations play, and what is seen of them.
@MainActor
private final class ScreenPlayback {
    let stage: ScreenStage
    private(set) var animations: [SeenAnimation]
    private(set) var start = Duration.zero
    /// When it looked.
    private(set) var looks: [Duration] = []
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

    /// Notes the frames that the players set from now on, and the first ones.
    private func followPlayers() {
        for (index, picture) in pictures.enumerated() where animations[index].settings.isEmpty {
            guard let player = PictureView(picture).player else { continue }
            animations[index].noteSetting(of: player.currentFrameIndex, at: MainQueueClock.shared.now)
            player.frameHandler = { [weak self] frame, _ in
                self?.animations[index].noteSetting(of: frame, at: MainQueueClock.shared.now)
            }
        }
    }

    /// Notes the frames that are seen now.
    func look() {
        followPlayers()
        guard let pixels = stage.grab() else { return }
        let now = MainQueueClock.shared.now
        looks.append(now)
        let (y, side) = (pixels.size.height / 2, pixels.size.width / animations.count)
        for index in animations.indices { animations[index].note(pixels[side * index + side / 2, y], at: now) }
    }
}

/// An animation whose frames have one colour each, and when they were set and seen.
private struct SeenAnimation {
    let format: ImageFormat
    let image: Image
    let colours: [Colour]
    fileprivate let durations: [Duration]
    /// Each frame when the player set it.
    private(set) var settings: [(index: Int, time: Duration)] = []
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

    mutating func noteSetting(of index: Int, at time: Duration) { settings.append((index, time)) }
}

// How what was set differs from the file, and what was seen from what was set.
extension SeenAnimation {
    /// The settings that the changes show; nil if one was seen that had not been set.
    var settingsOfChanges: [Int]? {
        var places: [Int] = []
        for change in changes {
            let place = settings.lastIndex { $0.index == change.index && $0.time <= change.time }
            guard let place, place > places.last ?? -1 else { return nil }
            places.append(place)
        }
        return places
    }

    var isInOrder: Bool { settings.map(\.index) == settings.indices.map { $0 % colours.count } }

    /// By how much a frame was set before its time, at most.
    func earliness(from start: Duration) -> Duration {
        var date = start
        return settings.map { setting in
            defer { date += durations[setting.index] }
            return date - setting.time
        }.max() ?? .zero
    }

    /// By how much longer than their durations half of the frames stayed. One after a long one may stay shorter.
    var medianLateness: Duration {
        let stays = zip(settings, settings.dropFirst()).map { $1.time - $0.time - durations[$0.index] }.sorted()
        return stays[stays.count / 2]
    }

    /// The time from a setting to the look that saw it.
    func medianDelay(of places: [Int]) -> Duration {
        let delays = zip(changes, places).map { $0.time - settings[$1].time }.sorted()
        return delays[delays.count / 2]
    }

    /// Whether a frame was not seen though there was a look for it: after two frames of the screen, and before the next.
    func hasMissed(between places: [Int], looks: [Duration]) -> Bool {
        zip(places, places.dropFirst()).contains { place, next in
            (place + 1..<next).contains { missed in
                let drawn = settings[missed].time + .milliseconds(34)
                return looks.contains { $0 >= drawn && $0 < settings[missed + 1].time }
            }
        }
    }
}
