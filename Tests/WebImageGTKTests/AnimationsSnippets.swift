// The code of Docs/Animations.md and of the symbols of playback, compiled. A test compares the two, so neither changes
// alone.

import CGtk4
import Foundation
import WebImage
import WebImageGTK

private typealias Widget = UnsafeMutablePointer<GtkWidget>

@MainActor
private func line(_ picture: Widget) {
    PictureView(picture).setImage(with: "https://example.org/cat.gif", transition: .fade)
}

@MainActor
private func settings(of view: PictureView) {
    view.playback.playbackRate = 2
    view.playback.autoPlayAnimatedImage = false

    view.playback.autoPlayAnimatedImage = false  // the first frame, until startAnimating()
}

@MainActor
private func calls(of view: PictureView) {
    view.playback.autoPlayAnimatedImage = false
    view.setImage(with: "https://example.org/cat.gif")
    view.startAnimating()
    view.stopAnimating()
    view.player?.seekToFrame(at: 3)
}

@MainActor
private func view(in box: UnsafeMutablePointer<GtkBox>) {
    let view = AnimatedImageView(URL(string: "https://example.org/cat.gif"))
    view.playbackRate = 2
    view.shouldCustomLoopCount = true
    view.animationRepeatCount = 3
    gtk_box_append(box, view.widget)
}

@MainActor
private func player(_ image: Image) {
    func draw(_ frame: Bitmap) {}
    func showPlays(_ count: Int) {}

    guard let animation = image.animation, let player = AnimatedImagePlayer(animation) else { return }
    player.frameHandler = { index, frame in draw(frame) }
    player.loopHandler = { count in showPlays(count) }
    player.startPlaying()
}

@MainActor
private func updates(of player: AnimatedImagePlayer, in label: OpaquePointer) async {
    for await update in player.updates { gtk_label_set_text(label, "\(update.frameIndex + 1)") }
}

@MainActor
private func test(_ animation: any AnimatedImageProvider) {
    final class ManualClock: AnimationClock {
        private(set) var now = Duration.zero
        private var calls: [(time: Duration, body: @MainActor () -> Void)] = []

        func call(at time: Duration, _ body: @escaping @MainActor () -> Void) -> any CancellableTask {
            calls.append((time, body))
            return ForgottenCall()
        }
    }
    let player = AnimatedImagePlayer(animation, clock: ManualClock())
    player?.startPlaying()
}

/// A call that cannot be cancelled.
private final class ForgottenCall: CancellableTask {
    func cancel() {}
}

private func budget() {
    MemoryBudget.shared.byteLimit = 200 << 20
}
