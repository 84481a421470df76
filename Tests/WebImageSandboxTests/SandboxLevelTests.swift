import Testing
import WebImageSandbox

@Suite("Sandbox levels")
struct SandboxLevelTests {
    @Test("a level is described in one line, with what does not hold")
    func description() {
        #expect("\(SandboxLevel.all)".hasPrefix("restricted in all ways: system calls, Landlock (files), "))
        #expect("\(SandboxLevel())" == "not restricted")
        let level = SandboxLevel.all.subtracting([.userNamespace, .landlockScopes])
        #expect("\(level)".hasSuffix("; not restricted: Landlock (signals and sockets), user namespace"))
        #expect(!"\(level)".contains("\n"))
    }

    @Test("levels compare as sets: neither of two may be at least the other")
    func comparison() {
        let withoutLandlock = SandboxLevel.all.subtracting(.landlock)
        let withoutNamespaces = SandboxLevel.all.subtracting(.namespaces)
        #expect(SandboxLevel.all.isSuperset(of: withoutLandlock) && withoutLandlock.isSuperset(of: .minimum))
        #expect(
            !withoutLandlock.isSuperset(of: withoutNamespaces) && !withoutNamespaces.isSuperset(of: withoutLandlock))
    }
}
