import CHEIF

extension HEIFCoder {
    /// Loads libheif's plug-ins, where a system has its decoders there, so that no file is read later.
    package static func loadPlugins() { heif_init(nil) }
}
