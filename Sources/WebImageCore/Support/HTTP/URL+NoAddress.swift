import FoundationEssentials

extension URL {
    /// Stands for "no URL": in a load that fails at once, and in a cache query.
    package static var noAddress: URL { URL(filePath: "/") }
}
