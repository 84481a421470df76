import CGtk4

/// Counts GObjects that still exist.
@MainActor
final class LiveObjects {
    private(set) var count = 0
    /// The number of objects ever watched.
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
