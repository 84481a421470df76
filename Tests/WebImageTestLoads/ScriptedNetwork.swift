import WebImageLoading
import WebImageTesting

/// A network that goes and comes when the test says so.
final class ScriptedNetwork: NetworkMonitor {
    private struct State {
        var isAvailable = true
        var returnCount = 0
        var waiterCount = 0
    }

    private let state = Observed(State())

    var isAvailable: Bool { state.value.isAvailable }

    /// The calls of ``waitForReturn()`` so far.
    var waiterCount: Int { state.value.waiterCount }

    func goAway() { state.update { $0.isAvailable = false } }

    func comeBack() {
        state.update {
            $0.isAvailable = true
            $0.returnCount += 1
        }
    }

    func waitForReturn() async {
        let before = state.update { state in
            state.waiterCount += 1
            return state.returnCount
        }
        _ = try? await state.wait { $0.returnCount > before }
    }

    func waitForWaiters(_ count: Int) async throws {
        _ = try await state.wait { $0.waiterCount >= count }
    }
}
