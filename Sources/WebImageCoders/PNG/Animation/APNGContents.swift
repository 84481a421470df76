import FoundationEssentials

/// The chunks of an animated PNG (PNG §11.3.4); pixels are not decoded.
struct APNGContents: Sendable {
    /// Header, colours and orientation, which all frames share.
    var picture: PNGContents
    /// The PLTE and tRNS chunks, which all frames share.
    var palette: Data?
    var transparency: Data?
    /// The complete frames in order, at most as many as the file declares. An error in the sequence ends them.
    var frames: [APNGFrame] = []

    /// The number of plays, 0 for endless; a still picture has 0.
    var loopCount: Int { frames.count > 1 ? picture.animation?.playCount ?? 0 : 0 }
}

/// One frame: its place on the canvas, and its compressed pixels.
struct APNGFrame: Sendable {
    var description: FrameDescription
    /// IDAT chunks, or fdAT chunks with their sequence numbers.
    var chunks: [Chunk] = []

    struct Chunk: Sendable {
        var isFrameData: Bool
        /// All of the chunk's data.
        var content: Data
        var checkSum: UInt32
    }
}
