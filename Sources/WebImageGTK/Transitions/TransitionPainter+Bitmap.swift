import WebImage

extension TransitionPainter {
    /// One frame as a bitmap, drawn without a display; transparent where the view is empty. nil when there is no memory
    /// for it, or when a side has more than 8192 pixels.
    ///
    /// GTK must be initialised, with or without a display.
    package func bitmap(of layers: [TransitionLayer]) -> Bitmap? {
        Bitmap.drawn(size: scene.size, scale: scene.scale) { paint(layers, into: $0.pointer) }
    }
}
