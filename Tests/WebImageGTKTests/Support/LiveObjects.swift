import CGtk4

/// Counts which of some objects are still there.
@MainActor
final class LiveObjects {
    private final class Count {
        var value = 0
    }

    private let count = Count()

    /// How many have not been finalized.
    var value: Int { count.value }

    func watch(_ object: UnsafeMutableRawPointer) {
        count.value += 1
        g_object_weak_ref(
            object.assumingMemoryBound(to: GObject.self),
            { data, _ in
                guard let data else { return }
                Unmanaged<Count>.fromOpaque(data).takeRetainedValue().value -= 1
            }, Unmanaged.passRetained(count).toOpaque())
    }
}
