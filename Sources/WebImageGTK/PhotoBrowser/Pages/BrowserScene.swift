import WebImage

/// The content of a browser at one moment.
struct BrowserScene {
    /// One page in view.
    struct Page {
        let content: PhotoPage
        /// Its left edge, in points.
        let x: Double
        let view: PointSize
        /// Device pixels per point.
        let scale: Double
    }

    /// A picture between the place of its thumbnail and its page.
    struct Flight {
        let still: StillContent
        let place: PictureFlight.Place
        let quarterTurns: Int
        let opacity: Double
    }

    var ground = RGBAColor(red: 0, green: 0, blue: 0, alpha: 255)
    var groundOpacity = 1.0
    var pages: [Page] = []
    var flight: Flight?
}
