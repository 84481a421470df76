import Foundation
import Testing
import WebImageCoders
import WebImageDecoder
import WebImageTestSupport

@testable import WebImageCore
@testable import WebImageIsolation
@testable import WebImageTestDoubles

/// Workers of a helper program.
@Suite(
    "Decoder process", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct DecoderProcessTests {
    @Test("a worker answers, again and again, and each has a process of its own")
    func answers() throws {
        let source = FaultyHelper.make()
        let worker = try source.makeWorker(for: .svg, limits: ImageLimits())
        for number in 0..<100 { #expect(try worker.answer(to: "echo \(number)") == "\(number)") }
        #expect(try source.answer(to: "echo other") == "other")
        worker.end()
        #expect(throws: WebImageError.self) { try worker.answer(to: "echo late") }
    }

    @Test("a worker is locked in before it reads a byte: no file can be opened")
    func lockedIn() throws {
        let source = FaultyHelper.make()
        #expect(try source.answer(to: "open") == "refused")
        #expect(try source.abilities().level.isSuperset(of: .minimum))
        #expect(try source.abilities().text.contains("system calls"))
    }

    @Test("videos have a helper of their own, and pictures one without them")
    func roles() throws {
        let path = Program.executable.deletingLastPathComponent().appending(path: "webimage-decoder").path
        let pictures = try DecoderProcess(path: path, role: .pictures).abilities().kinds
        #expect(pictures.contains(.svg) && !pictures.contains(.video))
        let videos = try DecoderProcess(path: path, role: .videos).abilities().kinds
        #expect(videos == (DecoderKind.video.coder == nil ? [] : [.video]))
    }

    @Test("the program links what decodes, and no library of the network, whose mappings each fork would copy")
    func libraries() throws {
        let path = Program.executable.deletingLastPathComponent().appending(path: "webimage-decoder")
        let program = try Data(contentsOf: path, options: .alwaysMapped)
        #expect(program.range(of: Data("libpng".utf8)) != nil)
        #expect(program.range(of: Data("libcurl".utf8)) == nil)
    }

    @Test("a picture is decoded from and into shared memory, with the pixels of a decode in this process")
    func picture() throws {
        let source = FaultyHelper.make()
        for name in ["gray.jpg", "animated.png", "lossless.webp", "animated.gif"] {
            let data = try Data(contentsOf: URL(filePath: Fixtures.path(name)))
            let expected = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions()).bitmap
            let file = try source.makeFile(of: data)
            let buffer = try source.makeBuffer(byteCount: expected.byteCount)
            let order = "decode \(data.count) \(buffer.bytes.count)"
            let answer = try source.answer(to: order, with: [file, buffer.file])
            #expect(answer == "\(expected.size.width) \(expected.size.height)")
            let bitmap = Bitmap(
                sharing: buffer, size: expected.size, format: expected.format, colorSpace: expected.colorSpace,
                isOpaque: expected.isOpaque)
            let isSame = bitmap?.withUnsafeBytes { mine in expected.withUnsafeBytes { mine.hasSameBytes(as: $0) } }
            #expect(isSame == true, "\(name)")
        }
    }

    @Test("a buffer that a worker has written comes back empty, and only after that worker's end")
    func secrecy() throws {
        let source = FaultyHelper.make(buffers: SharedBufferPool { $0() })
        let writer = try source.makeWorker(for: .png, limits: ImageLimits())
        var buffer: SharedBuffer? = try source.makeBuffer(byteCount: 1 << 20)
        let first = try #require(buffer).bytes.baseAddress
        #expect(try writer.answer(to: "write \(1 << 20)", with: [#require(buffer).file]) == "written")
        buffer = nil
        #expect(try source.makeBuffer(byteCount: 1 << 20).bytes.baseAddress != first)
        writer.end()
        let again = try source.makeBuffer(byteCount: 1 << 20)
        #expect(try source.answer(to: "read \(1 << 20)", with: [again.file]) == "0")
    }

    @Test("a helper is started for the first picture, once for many threads, and ends with its last reference")
    func lifetime() async {
        await #expect(processExitsWith: .success) {
            let buffers = SharedBufferPool()
            let processes = ProcessHoldings().processes
            // Swift's own threads have descriptors, which the first round makes.
            let first = await DecoderProcessTests.holdingsAfterUse(buffers)
            #expect(first.processes == processes)
            #expect(await DecoderProcessTests.holdingsAfterUse(buffers) == first)
        }
    }

    @Test("a helper has large blocks of memory in huge pages, unless the app's environment has settings of its own")
    func environment() async {
        await #expect(processExitsWith: .success) {
            unsetenv("GLIBC_TUNABLES")
            let usual = try DecoderProcessTests.environmentOfHelper()
            #expect(usual["GLIBC_TUNABLES"] == "glibc.malloc.hugetlb=1" && usual["PATH"] != nil)
            setenv("GLIBC_TUNABLES", "glibc.malloc.perturb=1", 1)
            #expect(try DecoderProcessTests.environmentOfHelper()["GLIBC_TUNABLES"] == "glibc.malloc.perturb=1")
        }
    }

    /// As a script in the helper's place has it.
    private static func environmentOfHelper() throws -> [String: String] {
        let script = try HelperScript("env > list")
        // It is no helper, and ends without an answer.
        #expect(throws: WebImageError.self) { try DecoderProcess(path: script.path, spares: nil).abilities() }
        let lines = try String(contentsOf: script.folder.appending(path: "list"), encoding: .utf8).split(
            separator: "\n")
        let pairs = lines.compactMap { line in
            line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func holdingsAfterUse(_ buffers: SharedBufferPool) async -> ProcessHoldings {
        do {
            let source = FaultyHelper.make(buffers: buffers)
            let processes = ProcessHoldings().processes
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { #expect((try? source.answer(to: "echo 1")) == "1") } }
            }
            source.settle()
            #expect(ProcessHoldings().processes == processes + 1)
        }
        return ProcessHoldings()
    }
}
