import CGtk4

nonisolated extension Int: SignalValue {
    /// From and to integers, enumerations and flags; the nearest number where it is out of range.
    public static var signalConversion: SignalConversion<Int> {
        SignalConversion(of: FundamentalType.integers, read: read, write: write)
    }

    private static func read(_ value: UnsafePointer<GValue>) -> Int? {
        switch FundamentalType(of: value) {
        case .char: Int(g_value_get_schar(value))
        case .uchar: Int(g_value_get_uchar(value))
        case .int: Int(g_value_get_int(value))
        case .uint: Int(g_value_get_uint(value))
        case .long: g_value_get_long(value)
        case .ulong: Int(clamping: g_value_get_ulong(value))
        case .int64: Int(g_value_get_int64(value))
        case .uint64: Int(clamping: g_value_get_uint64(value))
        case .enumeration: Int(g_value_get_enum(value))
        case .flags: Int(g_value_get_flags(value))
        default: nil
        }
    }

    private static func write(_ number: Int, to value: UnsafeMutablePointer<GValue>) {
        switch FundamentalType(of: value) {
        case .char: g_value_set_schar(value, gint8(clamping: number))
        case .uchar: g_value_set_uchar(value, guchar(clamping: number))
        case .int: g_value_set_int(value, gint(clamping: number))
        case .uint: g_value_set_uint(value, guint(clamping: number))
        case .long: g_value_set_long(value, number)
        case .ulong: g_value_set_ulong(value, gulong(clamping: number))
        case .int64: g_value_set_int64(value, gint64(number))
        case .uint64: g_value_set_uint64(value, guint64(clamping: number))
        case .enumeration: g_value_set_enum(value, gint(clamping: number))
        case .flags: g_value_set_flags(value, guint(clamping: number))
        default: break
        }
    }
}

nonisolated extension SignalValue where Self: RawRepresentable, RawValue == UInt32 {
    /// From and to enumerations and flags.
    public static var signalConversion: SignalConversion<Self> {
        let integers = Int.signalConversion
        return SignalConversion(of: [.enumeration, .flags]) { value in
            integers.read(value).flatMap { Self(rawValue: UInt32(truncatingIfNeeded: $0)) }
        } write: { choice, value in
            integers.write(Int(choice.rawValue), value)
        }
    }
}

nonisolated extension SignalValue where Self: RawRepresentable, RawValue == Int32 {
    /// From and to enumerations with negative values.
    public static var signalConversion: SignalConversion<Self> {
        let integers = Int.signalConversion
        return SignalConversion(of: [.enumeration]) { value in
            integers.read(value).flatMap { Self(rawValue: Int32(truncatingIfNeeded: $0)) }
        } write: { choice, value in
            integers.write(Int(choice.rawValue), value)
        }
    }
}

nonisolated extension GdkModifierType: SignalValue {}
