import CGtk4

/// The types that a closure expects of a signal.
struct SignalShape {
    private let result: (any SignalValue.Type)?
    private var arguments: [any SignalValue.Type] = []

    init(result: (any SignalValue.Type)? = nil) { self.result = result }

    mutating func add(_ argument: any SignalValue.Type) { arguments.append(argument) }

    /// The fault of a closure of these types for a signal of `object`; nil for none.
    func fault(for signal: String, of object: UnsafeMutableRawPointer) -> String? {
        let type = object.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee.g_type
        let name = String(cString: g_type_name(type))
        var (id, detail): (guint, GQuark) = (0, 0)
        guard g_signal_parse_name(signal, type, &id, &detail, 1) != 0 else { return "\(name) has no signal \(signal)" }
        var query = GSignalQuery()
        g_signal_query(id, &query)
        guard !accepts(query) else { return nil }
        let types = Self.parameters(of: query).map { String(cString: g_type_name($0)) }.joined(separator: ", ")
        let result = String(cString: g_type_name(Self.plain(query.return_type)))
        return "the signal \(signal) of \(name) is (\(types)) -> \(result)"
    }

    private func accepts(_ query: GSignalQuery) -> Bool {
        let parameters = Self.parameters(of: query)
        guard arguments.count <= parameters.count else { return false }
        guard zip(arguments, parameters).allSatisfy({ $0.accepts($1) }) else { return false }
        let type = Self.plain(query.return_type)
        // A closure of one expression has that one's result, which may be meant to be dropped.
        return type == FundamentalType.none || result?.accepts(type) ?? true
    }

    private static func parameters(of query: GSignalQuery) -> [GType] {
        UnsafeBufferPointer(start: query.param_types, count: Int(query.n_params)).map(plain)
    }

    /// Without G_SIGNAL_TYPE_STATIC_SCOPE.
    private static func plain(_ type: GType) -> GType { type & ~1 }
}

extension SignalValue {
    fileprivate static func accepts(_ type: GType) -> Bool { signalConversion.accepts(type) }
}
