import CGtk4

nonisolated extension OpaquePointer: SignalValue {
    /// From and to objects and other pointers.
    public static var signalConversion: SignalConversion<OpaquePointer> {
        SignalConversion(pointer: { OpaquePointer($0) })
    }
}

nonisolated extension UnsafeMutablePointer: SignalValue {
    /// From and to objects and other pointers.
    public static var signalConversion: SignalConversion<UnsafeMutablePointer> {
        SignalConversion(pointer: { $0.assumingMemoryBound(to: Pointee.self) })
    }
}

nonisolated extension UnsafeMutableRawPointer: SignalValue {
    /// From and to objects and other pointers.
    public static var signalConversion: SignalConversion<UnsafeMutableRawPointer> {
        SignalConversion(pointer: { $0 })
    }
}

nonisolated extension SignalConversion where Value: ObjectPointer {
    fileprivate init(pointer: @escaping (UnsafeMutableRawPointer) -> Value) {
        self.init { type in
            FundamentalType(type).map(FundamentalType.pointers.contains) ?? FundamentalType.isOfInstances(type)
        } read: { value in
            g_value_peek_pointer(value).map(pointer)
        } write: { pointer, value in
            switch FundamentalType(of: value) {
            case .interface, .object: g_value_set_object(value, pointer.address)
            case .boxed: g_value_set_boxed(value, pointer.address)
            case .param: g_value_set_param(value, cast(pointer))
            case .variant: g_value_set_variant(value, cast(pointer))
            case .pointer: g_value_set_pointer(value, pointer.address)
            case nil: g_value_set_instance(value, pointer.address)
            default: break
            }
        }
    }
}
