import CGtk4

/// Calls a closure whenever an object emits a signal, with the signal's arguments, until the object is finalized.
///
/// ```swift
/// connect(button, "clicked") { view.reload(options: .retryFailed) }
/// connect(factory, "bind") { (item: OpaquePointer) in bind(item) }
/// ```
/// The arguments are those of GTK's documentation after the object itself; the last ones may be left out. Each is a
/// ``SignalValue``. A program stops with a message where the object has no such signal, or the signal has other arguments. So
/// it does when a pointer is `NULL` that the closure does not take as an optional.
///
/// The object owns the closure, and releases it at its end or when the handler is disconnected. A closure that owns the
/// object, or what owns it, such as a ``WebImageView``, keeps both for ever: hold those weakly. Pointers own nothing.
///
/// - Returns: The handler's id, for `g_signal_handler_disconnect`.
@discardableResult
public func connect<each Argument: SignalValue>(
    _ object: some ObjectPointer, _ signal: String, _ body: @escaping @MainActor (repeat each Argument) -> Void
) -> gulong {
    var shape = SignalShape()
    repeat shape.add((each Argument).self)
    return SignalClosure { values, _ in
        var arguments = SignalArguments(values, of: signal)
        body(repeat arguments.next((each Argument).self))
    }.connect(to: object.address, signal, shape)
}

/// The same for a signal with a result. The result of the closure is dropped where the signal has none.
///
/// ```swift
/// connect(keys, "key-pressed") { (key: Int, code: Int, state: GdkModifierType) in key == Int(GDK_KEY_Escape) }
/// ```
@discardableResult
public func connect<each Argument: SignalValue, Result: SignalValue>(
    _ object: some ObjectPointer, _ signal: String, _ body: @escaping @MainActor (repeat each Argument) -> Result
) -> gulong {
    var shape = SignalShape(result: Result.self)
    repeat shape.add((each Argument).self)
    return SignalClosure { values, result in
        var arguments = SignalArguments(values, of: signal)
        let answer = body(repeat arguments.next((each Argument).self))
        if let result { Result.signalConversion.write(answer, result) }
    }.connect(to: object.address, signal, shape)
}

/// The values of one emission, in order.
private struct SignalArguments {
    private let values: UnsafeBufferPointer<GValue>
    private let signal: String
    // The first value is the object itself.
    private var index = 1

    init(_ values: UnsafeBufferPointer<GValue>, of signal: String) {
        self.values = values
        self.signal = signal
    }

    mutating func next<Argument: SignalValue>(_ type: Argument.Type) -> Argument {
        defer { index += 1 }
        guard let base = values.baseAddress, index < values.count,
            let argument = type.signalConversion.read(base + index)
        else {
            fatalError("argument \(index) of \(signal) is NULL: take it as an optional")
        }
        return argument
    }
}
