import CGtk4

/// A Swift closure as the handler of a signal, which owns it.
package final class SignalHandler<Body> {
    private let body: Body

    private init(_ body: Body) { self.body = body }

    /// The closure behind the last argument of a C handler.
    package static func body(_ data: gpointer?) -> Body? {
        data.map { Unmanaged<SignalHandler<Body>>.fromOpaque($0).takeUnretainedValue().body }
    }

    /// Calls `callback` with `body` behind its last argument, or behind the first one where `flags` swap them.
    ///
    /// - Parameter callback: A `@convention(c)` function with the arguments of the signal.
    /// - Returns: The handler's id, for disconnecting it.
    @discardableResult
    package static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ callback: GCallback, _ body: Body,
        flags: GConnectFlags = GConnectFlags(rawValue: 0)
    ) -> gulong {
        g_signal_connect_data(
            object, signal, callback, Unmanaged.passRetained(SignalHandler(body)).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            }, flags)
    }
}
