import FoundationEssentials

extension URL {
    /// Stands for "no URL": in a load that fails at once, and in a cache query.
    static var noAddress: URL { URL(filePath: "/") }
}
