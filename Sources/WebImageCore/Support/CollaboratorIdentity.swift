import Synchronization

/// Decides whether two collaborators of loads are the same: objects by identity, values by equality. A value that is
/// not `Hashable` cannot be compared, and equals only the copies of its identity.
package struct CollaboratorIdentity: Hashable, Sendable {
    private enum Kind {
        case none
        /// Retains the object: another one may get the address of an object that is gone.
        case instance(ObjectIdentifier, any Sendable)
        case value(any Sendable)
        case unique(UInt64)
    }

    private let kind: Kind

    private static let uniqueCount = Atomic<UInt64>(0)

    package init(_ collaborator: (any Sendable)?) {
        guard let collaborator else {
            kind = .none
            return
        }
        if type(of: collaborator) is AnyClass {
            kind = .instance(ObjectIdentifier(collaborator as AnyObject), collaborator)
        } else if collaborator is any Hashable {
            kind = .value(collaborator)
        } else {
            kind = .unique(Self.uniqueCount.add(1, ordering: .relaxed).newValue)
        }
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs.kind, rhs.kind) {
        case (.none, .none): true
        case (.instance(let mine, _), .instance(let other, _)): mine == other
        case (.value(let mine), .value(let other)): areSame(mine, other)
        case (.unique(let mine), .unique(let other)): mine == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch kind {
        case .none: break
        case .instance(let identifier, _): hasher.combine(identifier)
        case .value(let value): (value as? any Hashable)?.hash(into: &hasher)
        case .unique(let number): hasher.combine(number)
        }
    }

    /// Whether two collaborators are certainly the same: false for a value that cannot be compared, even with itself.
    static func areSame(_ mine: any Sendable, _ other: any Sendable) -> Bool {
        guard type(of: mine) == type(of: other) else { return false }
        if type(of: mine) is AnyClass { return mine as AnyObject === other as AnyObject }
        if let mine = mine as? any Hashable { return mine.equals(other) }
        return (mine as? any Any.Type).map { $0 == other as? any Any.Type } ?? false
    }
}

extension Hashable {
    fileprivate func equals(_ other: Any) -> Bool { other as? Self == self }
}
