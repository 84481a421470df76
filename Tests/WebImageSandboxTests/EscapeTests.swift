import Foundation
import Testing
import WebImageSandbox
import WebImageTestSupport

/// Hostile code in a process that is locked in, at each level that a kernel may offer.
@Suite(
    "Escape", .timeLimit(.minutes(10)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct EscapeTests {
    /// The attempts without any measure.
    private static let free = Task { try await EscapeRun(["hostile", "nothing", "DIRECTORY"]).attempts }

    @Test("each attempt to break out is refused or harmless, by each set of measures", arguments: EscapeRun.levels)
    func attempts(level: String) async throws {
        let free = try await Self.free.value
        let run = try await EscapeRun(["hostile", level, "DIRECTORY"])
        let allowed = EscapeTable.allowed(at: level)
        var held = 0
        for (name, outcome) in run.attempts where !allowed.contains(name) {
            let measures = EscapeTable.measures(against: name)
            guard measures.contains(where: run.level.isSuperset) else { continue }
            held += 1
            #expect(isStopped(name, outcome, free: free[name]), "\(name): \(outcome)")
        }
        #expect(held >= (run.level.contains(.systemCalls) ? 150 : 20))
    }

    private func isStopped(_ name: String, _ outcome: EscapeOutcome, free: EscapeOutcome?) -> Bool {
        if case .killed(let signal) = outcome, EscapeTable.signals[name]?.contains(signal) == true { return true }
        return free.map { outcome.isRefusal(where: $0) } ?? false
    }

    @Test("without measures the attempts succeed, so that their failure proves something")
    func control() async throws {
        let free = try await Self.free.value
        #expect(free.count >= 150)
        let unproven = free.filter(\.value.isRefused).keys
        // The rest needs rights that a container or a user lacks, or has wrong arguments on purpose.
        #expect(unproven.count < free.count / 2, "\(unproven.sorted())")
        let known = Set(free.keys)
        for row in EscapeTable.table { #expect(row.names.subtracting(Self.ofOneArchitecture).isSubset(of: known)) }
    }

    private static let ofOneArchitecture: Set = ["open", "creat"]

    @Test(
        "the measures taken are those of the policy that the kernel knows, and the list of system calls always is one")
    func levels() async throws {
        for level in EscapeRun.levels {
            let reached = try await EscapeRun(["hostile", level, "DIRECTORY", "getcwd"]).level
            #expect(
                reached.contains(.systemCalls) != EscapeRun.withoutSystemCalls.contains(level), "\(level): \(reached)")
            if ["withoutLandlock", "withoutBoth", "namespacesAlone"].contains(level) {
                #expect(reached.isDisjoint(with: .landlock))
            }
            if ["withoutNamespaces", "withoutBoth", "landlockAlone"].contains(level) {
                #expect(reached.isDisjoint(with: .namespaces))
            }
            if ["everything", "withoutLandlock", "withoutNamespaces", "withoutBoth"].contains(level) {
                #expect(reached.isSuperset(of: .minimum))
            }
        }
    }
}
