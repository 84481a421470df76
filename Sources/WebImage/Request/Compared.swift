/// A value of any type with the equality of collaborators; see ``CollaboratorIdentity``. A value that cannot be
/// compared equals nothing, not even itself.
@propertyWrapper
struct Compared<Wrapped: Sendable>: Sendable, Equatable {
    var wrappedValue: Wrapped?

    static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs.wrappedValue, rhs.wrappedValue) {
        case (nil, nil): true
        case (let mine?, let other?): CollaboratorIdentity.areSame(mine, other)
        default: false
        }
    }
}

/// A transformer, compared by its key: equal keys promise equal results.
@propertyWrapper
struct ComparedByKey: Sendable, Equatable {
    var wrappedValue: (any ImageTransformer)?

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.wrappedValue?.transformerKey == rhs.wrappedValue?.transformerKey
    }
}
