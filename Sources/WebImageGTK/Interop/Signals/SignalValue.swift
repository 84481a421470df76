import CGtk4

/// An argument or the result of a signal, as ``connect(_:_:_:)`` passes it: `Bool`, `Int`, `Double`, `String`, pointers, and
/// optionals of them. An enumeration or a set of flags of C conforms by an empty extension.
nonisolated public protocol SignalValue {
    /// The way between the values of GObject and those of this type.
    static var signalConversion: SignalConversion<Self> { get }
}

/// The way between the values of GObject and those of a Swift type.
nonisolated public struct SignalConversion<Value> {
    /// Whether values of a type of GObject can be read and written.
    let accepts: (GType) -> Bool
    /// nil for a pointer or a text that is `NULL`.
    let read: (UnsafePointer<GValue>) -> Value?
    /// Writes into a value that has its type already.
    let write: (Value, UnsafeMutablePointer<GValue>) -> Void

    init(
        of types: [FundamentalType], read: @escaping (UnsafePointer<GValue>) -> Value?,
        write: @escaping (Value, UnsafeMutablePointer<GValue>) -> Void
    ) {
        self.init(accepts: { type in FundamentalType(type).map(types.contains) ?? false }, read: read, write: write)
    }

    init(
        accepts: @escaping (GType) -> Bool, read: @escaping (UnsafePointer<GValue>) -> Value?,
        write: @escaping (Value, UnsafeMutablePointer<GValue>) -> Void
    ) {
        self.accepts = accepts
        self.read = read
        self.write = write
    }
}

nonisolated extension Bool: SignalValue {
    /// From and to `gboolean`.
    public static var signalConversion: SignalConversion<Bool> {
        SignalConversion(
            of: [.boolean], read: { g_value_get_boolean($0) != 0 }, write: { g_value_set_boolean($1, $0 ? 1 : 0) })
    }
}

nonisolated extension Double: SignalValue {
    /// From and to `gdouble` and `gfloat`.
    public static var signalConversion: SignalConversion<Double> {
        SignalConversion(of: [.double, .float]) { value in
            FundamentalType(of: value) == .float ? Double(g_value_get_float(value)) : g_value_get_double(value)
        } write: { number, value in
            FundamentalType(of: value) == .float
                ? g_value_set_float(value, Float(number)) : g_value_set_double(value, number)
        }
    }
}

nonisolated extension String: SignalValue {
    /// From and to a text in UTF-8.
    public static var signalConversion: SignalConversion<String> {
        SignalConversion(
            of: [.string], read: { g_value_get_string($0).map { String(cString: $0) } },
            write: { g_value_set_string($1, $0) })
    }
}

nonisolated extension Optional: SignalValue where Wrapped: SignalValue {
    /// nil from and to `NULL`.
    public static var signalConversion: SignalConversion<Wrapped?> {
        let wrapped = Wrapped.signalConversion
        return SignalConversion(accepts: wrapped.accepts, read: { .some(wrapped.read($0)) }) { content, value in
            if let content { wrapped.write(content, value) } else { g_value_reset(value) }
        }
    }
}
