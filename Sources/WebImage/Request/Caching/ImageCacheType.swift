/// A set of cache tiers. In a request it names the tiers to use; in a result, the one that a picture came from, where
/// `.none` means the network. The raw values are SDWebImage's.
public struct ImageCacheType: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// SDWebImage's number.
    public let rawValue: Int
    /// A set by number: 1 is disk, 2 is memory.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No tier; as a source, the network.
    public static let none: ImageCacheType = []
    /// The disk tier.
    public static let disk = ImageCacheType(rawValue: 1)
    /// The memory tier.
    public static let memory = ImageCacheType(rawValue: 2)
    /// Both tiers.
    public static let all: ImageCacheType = [.disk, .memory]

    /// `none`, `disk`, `memory` or `all`.
    public var description: String {
        switch self {
        case .none: "none"
        case .disk: "disk"
        case .memory: "memory"
        default: "all"
        }
    }
}
