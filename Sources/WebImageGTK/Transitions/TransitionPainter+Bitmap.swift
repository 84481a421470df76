import WebImage

extension TransitionPainter {
    /// What one frame looks like, drawn without a display; transparent where the view is empty. nil when there is no
    /// memory for it, or when a side has more than 8192 pixels.
    ///
    /// GTK must have been initialised, with or without a display.
    package func bitmap(of layers: [TransitionLayer]) -> Bitmap? {
        Bitmap.drawn(size: scene.size, scale: scene.scale) { paint(layers, into: $0.pointer) }
    }
}
