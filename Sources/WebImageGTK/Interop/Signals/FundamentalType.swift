import CGtk4

/// The fundamental types of GObject, whose macros Swift does not import (`gtype.h`, `G_TYPE_MAKE_FUNDAMENTAL`).
nonisolated enum FundamentalType: GType {
    case interface = 8, char = 12, uchar = 16, boolean = 20, int = 24, uint = 28, long = 32, ulong = 36, int64 = 40
    case uint64 = 44, enumeration = 48, flags = 52, float = 56, double = 60, string = 64, pointer = 68, boxed = 72
    case param = 76, object = 80, variant = 84

    /// `G_TYPE_NONE`, which no value has.
    static let none: GType = 4

    static let integers: [FundamentalType] = [
        .char, .uchar, .int, .uint, .long, .ulong, .int64, .uint64, .enumeration, .flags,
    ]
    static let pointers: [FundamentalType] = [.interface, .pointer, .boxed, .param, .object, .variant]

    /// nil for a type that is derived from none of these.
    init?(_ type: GType) { self.init(rawValue: g_type_fundamental(type)) }

    /// Whether values of a type are pointers to instances: events and render nodes have fundamental types of their own.
    static func isOfInstances(_ type: GType) -> Bool {
        g_type_test_flags(type, guint(G_TYPE_FLAG_INSTANTIATABLE.rawValue)) != 0
    }

    init?(of value: UnsafePointer<GValue>) { self.init(value.pointee.g_type) }
}
