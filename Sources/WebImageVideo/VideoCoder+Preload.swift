import CVideo

extension VideoCoder {
    /// Starts GStreamer so that forks of this process, which does nothing else, decode videos without files.
    package static func preload() { webimage_video_preload() }
}
