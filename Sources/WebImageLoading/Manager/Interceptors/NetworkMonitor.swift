/// Tells whether the machine has a network, and when it is back.
public protocol NetworkMonitor: Sendable {
    /// Whether other machines can be reached, as far as the system knows. Any thread; quick.
    var isAvailable: Bool { get }

    /// Returns when the network has come back: when the system told so after the call. Returns, too, when the task is
    /// cancelled.
    func waitForReturn() async
}
