import WebImage

extension DecoderKind {
    /// What a locked process decodes. Not videos: GStreamer reads its plug-ins, and starts threads, for each of them.
    package static var isolated: Set<DecoderKind> {
        Set(allCases.filter { $0 != .video && $0.coder != nil })
    }
}
