import WebImage

/// Counts bitmaps that still exist.
final class LiveBitmaps {
    private struct Weak { weak var bitmap: Bitmap? }
    private var all: [Weak] = []

    var count: Int { all.filter { $0.bitmap != nil }.count }

    func add(_ bitmap: Bitmap) { all.append(Weak(bitmap: bitmap)) }
}
