import CGtk4
import FoundationEssentials
import WebImage

extension Image {
    /// A picture among the resources that are compiled into the app (GResource), by its path:
    ///
    /// ```swift
    /// let icon = try Image(resource: "/org/example/App/spinner")
    /// ```
    /// Scales and extensions are found, and the picture is kept, as by ``Image/init(named:in:preferredScale:)``.
    ///
    /// - Parameter preferredScale: Pixels per point; nil for the largest scale of the display's monitors.
    /// - Throws: ``WebImageError/Code/fileNotFound`` when no registered resource has such a picture, and the errors of
    ///   decoding.
    public convenience init(resource path: String, preferredScale: Double? = nil) throws(WebImageError) {
        let scale = preferredScale ?? Self.displayScale
        let key = CacheKey("resource:\(path)\n\(NamedImage.scales(for: scale))")
        self.init(
            copying: try NamedImages.shared.image(for: key) { () throws(WebImageError) in
                for name in NamedImage(path).fileNames(preferredScale: scale) {
                    guard let data = Self.resource(name) else { continue }
                    var options = ImageDecodeOptions()
                    let file = URL(filePath: name)
                    options.scaleFactor = file.scaleInFileName
                    if let format = ImageFormat(fileExtension: file.pathExtension) {
                        options.formatHint = .format(format)
                    }
                    return try Image(data: data, options: options)
                }
                throw NamedImage.notFound(path, in: "the app's resources")
            })
    }

    /// The bytes of a resource; nil where there is none.
    private static func resource(_ path: String) -> Data? {
        guard let bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, nil) else { return nil }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count), count > 0 else { return Data() }
        return Data(bytes: start, count: Int(count))
    }

    /// The largest scale of a monitor; 1 without a display.
    private static var displayScale: Double {
        guard let display = gdk_display_get_default(), let monitors = gdk_display_get_monitors(display) else {
            return 1
        }
        let scales = (0..<g_list_model_get_n_items(monitors)).compactMap { index -> Int32? in
            guard let monitor = g_list_model_get_item(monitors, index) else { return nil }
            defer { g_object_unref(monitor) }
            return gdk_monitor_get_scale_factor(OpaquePointer(monitor))
        }
        return Double(scales.max() ?? 1)
    }
}
