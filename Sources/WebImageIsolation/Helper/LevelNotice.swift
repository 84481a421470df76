import Synchronization
import WebImageCore

/// Says once where the system offers less than everything, whichever helper program finds it. Any thread.
package final class LevelNotice: Sendable {
    private let hasTold = Atomic(false)

    package init() {}

    func tell(_ abilities: HelperAbilities) {
        guard !abilities.level.isSuperset(of: .everything), !hasTold.exchange(true, ordering: .relaxed) else { return }
        WebImageLog.warn("decoders are not locked in by all measures on this system; they are \(abilities.text)")
    }
}
