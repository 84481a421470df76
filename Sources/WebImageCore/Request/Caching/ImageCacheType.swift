/// A set of cache tiers. In a request it names the tiers to use; in a result, the one that a picture came from, where
/// ``noCache`` means the network. The raw values are SDWebImage's.
public struct ImageCacheType: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// SDWebImage's number.
    public let rawValue: Int
    /// A set by number: 1 is disk, 2 is memory.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No tier; as a source, the network.
    public static let noCache: ImageCacheType = []
    /// The disk tier.
    public static let disk = ImageCacheType(rawValue: 1)
    /// The memory tier.
    public static let memory = ImageCacheType(rawValue: 2)
    /// Both tiers.
    public static let all: ImageCacheType = [.disk, .memory]
    /// The default of a setting of ``WebImageContext``. No tier anywhere else.
    public static let automatic = ImageCacheType(rawValue: 4)

    /// `no cache`, `disk`, `memory`, `all` or `automatic`.
    public var description: String {
        switch self {
        case .noCache: "no cache"
        case .disk: "disk"
        case .memory: "memory"
        case .automatic: "automatic"
        default: "all"
        }
    }
}
