import CGtk4

/// Counts objects of GObject's that somebody still holds.
@MainActor
final class LiveObjects {
    private(set) var count = 0
    /// How many were ever watched.
    private(set) var watched = 0

    /// Watches `object`, which must be alive.
    func watch(_ object: UnsafeMutableRawPointer) {
        count += 1
        watched += 1
        g_object_weak_ref(
            object.assumingMemoryBound(to: GObject.self),
            { data, _ in
                guard let data else { return }
                Unmanaged<LiveObjects>.fromOpaque(data).takeRetainedValue().count -= 1
            },
            Unmanaged.passRetained(self).toOpaque())
    }
}
