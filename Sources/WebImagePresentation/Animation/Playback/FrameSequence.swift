/// The order of frames in one play of an animation, as places from 0.
///
/// A bounce has its first frame at both ends. The place at the end counts as that at the beginning of the next play.
struct FrameSequence: Hashable {
    let mode: AnimatedImagePlaybackMode
    /// At least 2.
    let frameCount: Int

    /// The last place of a play.
    var lastPlace: Int { isBouncing ? 2 * (frameCount - 1) : frameCount - 1 }

    private var isBouncing: Bool { mode == .bounce || mode == .reversedBounce }
    private var beginsAtEnd: Bool { mode == .reverse || mode == .reversedBounce }

    /// The frame at `place`.
    func index(at place: Int) -> Int {
        let turn = frameCount - 1
        let distance = isBouncing && place > turn ? 2 * turn - place : place
        return beginsAtEnd ? turn - distance : distance
    }

    /// The first place of frame `index`.
    func place(of index: Int) -> Int { beginsAtEnd ? frameCount - 1 - index : index }

    /// The place after `place`, which may be that of the next play.
    func place(after place: Int) -> Int {
        guard place >= lastPlace else { return place + 1 }
        return isBouncing ? 1 : 0
    }
}
