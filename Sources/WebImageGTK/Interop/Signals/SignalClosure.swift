import CGtk4

/// A Swift closure behind a `GClosure`, which owns it.
final class SignalClosure {
    typealias Body = (_ values: UnsafeBufferPointer<GValue>, _ result: UnsafeMutablePointer<GValue>?) -> Void

    private let body: Body

    init(_ body: @escaping Body) { self.body = body }

    /// Connects it; stops the program where the signal does not have that shape.
    func connect(to object: UnsafeMutableRawPointer, _ signal: String, _ shape: SignalShape) -> gulong {
        if let fault = shape.fault(for: signal, of: object) { fatalError(fault) }
        let closure = makeClosure()
        g_closure_ref(closure)
        g_closure_sink(closure)
        defer { g_closure_unref(closure) }
        return g_signal_connect_closure(object, signal, closure, 0)
    }

    private func makeClosure() -> UnsafeMutablePointer<GClosure>? {
        let data = Unmanaged.passRetained(self).toOpaque()
        let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.stride), data)
        g_closure_add_finalize_notifier(
            closure, data,
            { data, _ in
                if let data { Unmanaged<SignalClosure>.fromOpaque(data).release() }
            })
        g_closure_set_marshal(
            closure,
            { closure, result, count, values, _, _ in
                guard let data = closure?.pointee.data else { return }
                let handler = Unmanaged<SignalClosure>.fromOpaque(data).takeUnretainedValue()
                handler.body(UnsafeBufferPointer(start: values, count: Int(count)), result)
            })
        return closure
    }
}
