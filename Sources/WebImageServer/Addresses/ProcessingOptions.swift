import WebImageCore

/// The options of an address of the service, in imgproxy's vocabulary. Lengths are in points; a point has ``dpr`` pixels.
///
/// The order of the options in an address says nothing about the order of the work.
struct ProcessingOptions: Equatable {
    enum ResizingType: String {
        /// Within the size.
        case fit
        /// Covers the size; what stands out is cut off.
        case fill
        /// The same for a picture that is smaller than the size: it is cut to the size's aspect ratio.
        case fillDown = "fill-down"
        /// To the size, whatever the aspect ratio.
        case force
        /// ``fill`` where picture and size are both upright or both not, otherwise ``fit``.
        case auto
    }

    struct Crop: Equatable {
        /// nil for the picture's own side.
        var width: Offset?
        var height: Offset?
        /// nil for that of the address.
        var gravity: Gravity?
    }

    struct Trim: Equatable {
        var threshold: Double
        /// nil for the colour of the upper left pixel.
        var color: RGBAColor?
        var isEqualAcross = false
        var isEqualDown = false
    }

    struct Padding: Equatable {
        var top = 0, right = 0, bottom = 0, left = 0
    }

    struct Watermark: Equatable {
        enum Position: Equatable {
            case at(Gravity)
            /// Side by side, with these distances.
            case tiled(x: Offset, y: Offset)
        }

        var opacity: Double
        var position = Position.at(.center)
        /// The share of the result that it covers; nil for its own size.
        var scale: Double?
    }

    // MARK: Size

    var resizingType = ResizingType.fit
    /// 0 for as much as the other side needs.
    var width = 0
    var height = 0
    var minimumWidth = 0
    var minimumHeight = 0
    var zoomX = 1.0
    var zoomY = 1.0
    var dpr = 1.0
    /// Whether the address says it, so that no client's hint counts.
    var hasOwnDPR = false
    var enlarges = false
    /// The place of the picture in the size that it is extended to; nil where it is not extended.
    var extent: Gravity?
    /// The same for an area of the size's aspect ratio.
    var aspectRatioExtent: Gravity?
    var gravity = Gravity.center
    var crop: Crop?
    var trim: Trim?
    var padding = Padding()
    /// Quarter turns to the right.
    var quarterTurns = 0
    /// After the turns.
    var flipsHorizontally = false
    var flipsVertically = false
    /// nil for the service's setting.
    var appliesOrientation: Bool?

    // MARK: Pixels

    var background: RGBAColor?
    /// Standard deviations in points; 0 for none.
    var blur = 0.0
    var sharpen = 0.0
    /// The side of the squares; 0 and 1 for none.
    var pixelate = 0
    var watermark: Watermark?

    // MARK: File

    /// nil for what the client accepts, or that of the source.
    var format: ImageFormat?
    /// 1 to 100; nil for that of the format.
    var quality: Int?
    var formatQuality: [ImageFormat: Int] = [:]
    /// Its quality goes down until it has no more bytes; nil for any number.
    var maximumByteCount: Int?
    /// nil for the service's settings.
    var stripsMetadata: Bool?
    var keepsCopyright: Bool?
    var stripsColorProfile: Bool?
    /// Files of these formats stay as they are, if they are asked for in the same.
    var unprocessedFormats: Set<ImageFormat> = []
    /// Whether the source's bytes are the answer, whatever they are.
    var isRaw = false

    // MARK: Answer

    var cacheBuster = ""
    /// In seconds since 1970; nil for never.
    var expiry: Int64?
    var fileName: String?
    /// Whether a browser saves it; nil for the service's setting.
    var isAttachment: Bool?
}
