/// A value of any type with the equality of collaborators; see ``CollaboratorIdentity``. A value that cannot be
/// compared equals nothing, not even itself.
@propertyWrapper
package struct Compared<Wrapped: Sendable>: Sendable, Equatable {
    package var wrappedValue: Wrapped?

    package init(wrappedValue: Wrapped? = nil) { self.wrappedValue = wrappedValue }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs.wrappedValue, rhs.wrappedValue) {
        case (nil, nil): true
        case (let mine?, let other?): CollaboratorIdentity.areSame(mine, other)
        default: false
        }
    }
}

/// A transformer, compared by its key: equal keys promise equal results.
@propertyWrapper
package struct ComparedByKey: Sendable, Equatable {
    package var wrappedValue: (any ImageTransformer)?

    package init(wrappedValue: (any ImageTransformer)? = nil) { self.wrappedValue = wrappedValue }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.wrappedValue?.transformerKey == rhs.wrappedValue?.transformerKey
    }
}
