/// Tells whether two collaborators of loads are one and the same: classes by their instance. Values cannot be told
/// apart, so they are the same as nothing.
struct InstanceIdentity: Hashable, Sendable {
    private let identifier: ObjectIdentifier

    /// nil for a value. Means something only as long as `instance` lives.
    init?(_ instance: any Sendable) {
        guard type(of: instance) is AnyClass else { return nil }
        identifier = ObjectIdentifier(instance as AnyObject)
    }
}
