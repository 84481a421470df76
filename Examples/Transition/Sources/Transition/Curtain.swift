import WebImage

extension TransitionEffect {
    /// The former content parts in the middle like a curtain.
    static let curtain = TransitionEffect("curtain") { progress, scene in
        let half = PointSize(width: scene.size.width / 2, height: scene.size.height)
        let shift = (min(1, max(0, progress)) * half.width * scene.scale).rounded() / scene.scale
        let left = PointRect(x: 0, y: 0, size: half)
        let right = PointRect(x: half.width, y: 0, size: half)
        let gap = PointRect(x: half.width - shift, y: 0, width: 2 * shift, height: half.height)
        return [
            TransitionLayer(.new, source: gap),
            TransitionLayer(.old, source: left, frame: PointRect(x: left.x - shift, y: 0, size: half)),
            TransitionLayer(.old, source: right, frame: PointRect(x: right.x + shift, y: 0, size: half)),
        ]
    }
}
