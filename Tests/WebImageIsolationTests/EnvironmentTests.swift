import CRefusal
import Foundation
import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageSandbox
import WebImageTestSupport

@testable import WebImageIsolation
@testable import WebImageTestDoubles

/// Decoder processes where a container, a service manager or an old kernel allows less. `scripts/try-isolation` tries more, as
/// root.
@Suite(
    "Environments of decoder processes", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct EnvironmentTests {
    private static let landlock = [444, 445, 446]

    private static func refuse(_ calls: [Int], error: Int32) {
        for call in calls { #expect(webimage_refuse_call(call, BPF_JGE, 0, error) == 0) }
    }

    /// As the profile of Docker, and `RestrictNamespaces=yes`.
    private static func refuseNamespaces() {
        refuse([Int(SYS_unshare)], error: EPERM)
        #expect(webimage_refuse_call(Int(SYS_clone), BPF_JSET, WEBIMAGE_NAMESPACE_FLAGS, EPERM) == 0)
        refuse([Int(SYS_clone3)], error: ENOSYS)
    }

    /// Of so few pixels that they come in a message.
    private static func decodes(_ source: DecoderProcess) throws -> Bool {
        let file = try Data(contentsOf: URL(filePath: Fixtures.path("animated.gif")))
        let expected = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions()).bitmap.bytes
        let coder = IsolatedCoder(kind: .gif, source: source)
        return try coder.decode(file, options: ImageDecodeOptions()).bitmap.bytes == expected
    }

    @Test("where no namespaces may be made and there is no Landlock, pictures are decoded, and the level is told once")
    func container() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.containerInChild) }
    }

    fileprivate static func containerInChild() throws {
        refuseNamespaces()
        refuse(landlock, error: ENOSYS)
        let warnings = Mutex<[String]>([])
        WebImageLog.setHandler { text in warnings.withLock { $0.append(text) } }
        let source = FaultyHelper.make()
        for _ in 0..<2 { #expect(try decodes(source)) }
        #expect(try source.abilities().level == .minimum)
        let programs = DecoderPrograms(path: FaultyHelper.path, requiredLevel: .minimum)
        let before = warnings.withLock { $0 }.count
        for kind in [DecoderKind.png, .video, .svg] { try programs.makeWorker(for: kind, limits: ImageLimits()).end() }
        #expect(before == 1 && warnings.withLock { $0 }.count == 2)
        #expect(warnings.withLock { $0 }.first?.contains("not restricted: Landlock (files)") == true)
    }

    @Test("where the system has namespaces for some workers only, the others are errors for now, and have no fewer")
    func fewNamespaces() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.fewNamespacesInChild) }
    }

    fileprivate static func fewNamespacesInChild() throws {
        let commands = "echo 3 > /proc/sys/user/max_pid_namespaces; exec '\(FaultyHelper.path)'"
        let helper = try HelperScript("exec unshare --user --map-root-user sh -c \"\(commands)\"")
        let source = DecoderProcess(path: helper.path, spares: nil)
        // A container may let nobody make them.
        guard let abilities = try? source.abilities(), abilities.level.contains(.namespaces) else { return }
        var workers: [any WorkerConnection] = []
        var failures = 0
        for _ in 0..<5 {
            do throws(WebImageError) {
                workers.append(try source.makeWorker(for: .svg, limits: ImageLimits()))
            } catch {
                #expect(error.kind == .transient && error.reason.contains("no process"), "\(error.reason)")
                failures += 1
            }
        }
        for worker in workers { #expect(try worker.answer(to: "number") == "1") }
        #expect((1..<5).contains(failures))
    }

    @Test("a list of system calls that ends who makes another one leaves out what it has not, and pictures are decoded")
    func serviceManager() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.serviceManagerInChild) }
    }

    fileprivate static func serviceManagerInChild() throws {
        // Calls that the list @system-service of systemd 252 lacks.
        let missing = [SYS_chroot, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_mount].map { Int($0) }
        refuse(missing + landlock + [Int(SYS_seccomp)], error: 0)
        let source = FaultyHelper.make()
        #expect(try decodes(source))
        let abilities = try source.abilities()
        #expect(abilities.level.isSuperset(of: .minimum) && !abilities.level.contains(.landlock))
    }

    @Test("where no list of system calls may be set, nothing is decoded, whatever level is required")
    func noFilters() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.noFiltersInChild) }
    }

    fileprivate static func noFiltersInChild() throws {
        #expect(webimage_refuse_call(Int(SYS_prctl), BPF_JEQ, UInt32(PR_SET_SECCOMP), EPERM) == 0)
        refuse([Int(SYS_seccomp)], error: ENOSYS)
        let source = FaultyHelper.make()
        let error = #expect(throws: WebImageError.self) { try decodes(source) }
        #expect(error?.kind == .policy && error?.reason.contains("requiredLevel") == true)
        let careless = DecoderProcess(path: FaultyHelper.path, requiredLevel: [])
        let refusal = #expect(throws: WebImageError.self) { try decodes(careless) }
        #expect(refusal?.kind == .policy && refusal?.reason.contains("locked in") == true)
    }

    @Test("without files of memory small pictures are decoded, and a large one is an error that says why")
    func noMemoryFiles() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.noMemoryFilesInChild) }
    }

    fileprivate static func noMemoryFilesInChild() throws {
        refuse([Int(SYS_memfd_create)], error: EPERM)
        let source = FaultyHelper.make()
        #expect(try decodes(source))
        let size = PixelSize(width: 256, height: 256)
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.area * 4))
        let file = try ImageCodersManager.shared.encode(
            Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
        let coder = IsolatedCoder(kind: .png, source: source)
        let error = #expect(throws: WebImageError.self) { try coder.decode(file, options: ImageDecodeOptions()) }
        #expect(error?.kind == .transient && error?.reason.contains("no shared memory") == true)
        #expect(try decodes(source))
    }

    @Test("a kernel without descriptors of processes is one error, and leaves no process")
    func noProcessDescriptors() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.noProcessDescriptorsInChild) }
    }

    fileprivate static func noProcessDescriptorsInChild() throws {
        let before = ProcessHoldings()
        refuse([Int(SYS_pidfd_open)], error: ENOSYS)
        let source = FaultyHelper.make()
        let error = #expect(throws: WebImageError.self) { try decodes(source) }
        #expect(error?.kind == .policy && error?.reason.contains("pidfd_open") == true)
        #expect(ProcessHoldings().processes == before.processes)
    }

    @Test("in a chroot without /proc and /dev pictures are decoded", .enabled(if: geteuid() == 0, "it takes root"))
    func emptyFolders() async {
        await #expect(processExitsWith: .success) { recordingErrors(EnvironmentTests.emptyFoldersInChild) }
    }

    fileprivate static func emptyFoldersInChild() throws {
        let source = FaultyHelper.make()
        // Of this thread, which must not change.
        for folder in ["/proc", "/dev"] {
            let code = webimage_hide_folder(folder)
            // A container's root may not mount.
            if code == EPERM { return }
            #expect(code == 0)
        }
        #expect(try decodes(source))
        #expect(!FileManager.default.fileExists(atPath: "/proc/self"))
        Thread.detachNewThread { while true { pause() } }
        // Those of this process are known without /proc, too.
        #expect(!SandboxedZygote.hasOneThread)
    }
}
