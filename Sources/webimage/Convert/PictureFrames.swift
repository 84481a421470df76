import WebImage
import WebImageCommandLine

/// The pictures in a file, each decoded on demand: an animation's frames, a document's pages, or the only picture.
struct PictureFrames: Sendable {
    /// At least 1.
    let count: Int
    private let animation: (any AnimatedImageProvider)?
    private let file: PictureFile
    private let options: ImageDecodeOptions
    /// The first picture, which was decoded to examine the file; nil where it is damaged.
    private let first: Bitmap?

    /// - Throws: The error of decoding the first picture, unless it is damaged and others may be intact.
    init(_ file: PictureFile, options: ImageDecodeOptions) throws(WebImageError) {
        let image = Result { () throws(WebImageError) in
            try ImageCodersManager.shared.decode(file.data, options: options)
        }
        switch image {
        case .success(let image):
            let isPaged = image.animation == nil && WritableFormat.paged.contains(image.metadata.format)
            let pageCount = isPaged ? try Self.properties(of: file, options)?.frameCount : nil
            self.init(file, options, first: image.bitmap, animation: image.animation, pageCount: pageCount ?? 1)
        case .failure(let error):
            guard [.badImageData, .truncatedImageData].contains(error.code),
                let properties = try? Self.properties(of: file, options), properties.frameCount > 1
            else { throw error }
            let isPaged = WritableFormat.paged.contains(properties.format)
            let animation = isPaged ? nil : try Self.animation(of: file, options)
            self.init(file, options, first: nil, animation: animation, pageCount: properties.frameCount)
        }
    }

    private init(
        _ file: PictureFile, _ options: ImageDecodeOptions, first: Bitmap?, animation: (any AnimatedImageProvider)?,
        pageCount: Int
    ) {
        self.file = file
        self.options = options
        self.first = first
        self.animation = animation
        count = animation?.frameCount ?? pageCount
    }

    private static func properties(
        of file: PictureFile, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try ImageCodersManager.shared.properties(of: file.data, isComplete: true, options: options)
    }

    private static func animation(
        of file: PictureFile, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        try ImageCodersManager.shared.makeAnimation(of: file.data, options: options)
    }

    /// The number of plays of an animation, 0 for endless.
    var loopCount: Int { animation?.loopCount ?? 0 }

    /// Zero for a page and a still picture.
    func duration(at index: Int) -> Duration { animation?.duration(at: index) ?? .zero }

    /// The title of the picture at `index`, with a number that counts from 1 as in the file names.
    func title(at index: Int) -> String { "\(animation == nil ? "page" : "frame") \(index + 1) of \(count)" }

    /// The composed pixels of one picture.
    func bitmap(at index: Int) throws(WebImageError) -> Bitmap {
        if let animation { return try animation.frame(at: index) }
        if index == 0, let first { return first }
        var options = options
        options.pageIndex = index
        return try ImageCodersManager.shared.decode(file.data, options: options).bitmap
    }
}
