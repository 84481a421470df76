import Synchronization

/// Which response modifier or decryptor a load has: what one of them has seen is for those who have the same.
enum CollaboratorIdentity: Hashable, Sendable {
    case nobody
    case instance(InstanceIdentity)
    /// A value, which is like no other, not even like itself in another load.
    case value(UInt64)

    private static let valueCount = Atomic<UInt64>(0)

    /// Means something only as long as `collaborator` lives.
    init(_ collaborator: (any Sendable)?) {
        guard let collaborator else {
            self = .nobody
            return
        }
        self =
            InstanceIdentity(collaborator).map(Self.instance)
            ?? .value(Self.valueCount.add(1, ordering: .relaxed).newValue)
    }
}
