import Glibc
import Synchronization
import Testing

@testable import WebImageCore
@testable import WebImageIsolation

/// Memory that workers write.
@Suite("Shared buffers")
struct SharedBufferPoolTests {
    private static func fill(_ buffer: SharedBuffer) { buffer.bytes.initializeMemory(as: UInt8.self, repeating: 7) }

    private static func isEmpty(_ buffer: SharedBuffer) -> Bool { buffer.bytes.allSatisfy { $0 == 0 } }

    @Test("a buffer that is not used any more is the next one of about its size, and empty")
    func reuse() throws {
        let pool = SharedBufferPool.apart()
        var buffer: SharedBuffer? = try pool.makeBuffer(byteCount: 100_000)
        buffer.map(Self.fill)
        let address = buffer?.bytes.baseAddress
        buffer = nil
        #expect(pool.idleByteCount >= 100_000)
        let small = try pool.makeBuffer(byteCount: 1)
        let same = try pool.makeBuffer(byteCount: 90_000)
        #expect(small.bytes.baseAddress == address || same.bytes.baseAddress == address)
        #expect(Self.isEmpty(small) && Self.isEmpty(same))
    }

    @Test("nobody gets a buffer before it is cleared")
    func clearing() throws {
        let held = HeldWork()
        let pool = SharedBufferPool.apart(perform: held.add)
        var buffer: SharedBuffer? = try pool.makeBuffer(byteCount: 1 << 20)
        buffer.map(Self.fill)
        buffer = nil
        #expect(pool.idleByteCount == 0)
        let other = try pool.makeBuffer(byteCount: 1 << 20)
        #expect(Self.isEmpty(other))
        held.perform()
        #expect(pool.idleByteCount == 1 << 20)
    }

    @Test("a buffer whose file a worker still has is not given to another one")
    func lease() throws {
        let pool = SharedBufferPool.apart()
        var buffer: SharedBuffer? = try pool.makeBuffer(byteCount: 1 << 20)
        var file = buffer?.file
        buffer = nil
        #expect(pool.idleByteCount == 0 && file != nil)
        file = nil
        #expect(pool.idleByteCount == 1 << 20)
    }

    @Test("no more is kept than the limit, nor after some seconds")
    func bounds() throws {
        let pool = SharedBufferPool.apart(maximumByteCount: 3 << 20)
        var buffers = try (0..<5).map { _ in try pool.makeBuffer(byteCount: 1 << 20) }
        #expect(buffers.count == 5)
        buffers = []
        #expect(pool.idleByteCount == 3 << 20)
        pool.dropIdle(at: .now)
        #expect(pool.idleByteCount == 3 << 20)
        pool.dropIdle(at: .now + .seconds(6))
        #expect(pool.idleByteCount == 0)
    }

    @Test("memory pressure drops what is kept")
    func pressure() throws {
        let pressure = MemoryPressure(source: NoMemorySignals())
        let pool = SharedBufferPool.apart(pressure: pressure)
        _ = try pool.makeBuffer(byteCount: 1 << 20)
        #expect(pool.idleByteCount == 1 << 20)
        pressure.report(.warning)
        #expect(pool.idleByteCount == 0)
    }

    @Test("no side can change the size of a buffer")
    func seals() throws {
        let buffer = try SharedBufferPool.apart().makeBuffer(byteCount: 1 << 20)
        #expect(ftruncate(buffer.file.number, 0) != 0 && ftruncate(buffer.file.number, 2 << 20) != 0)
    }

    @Test("pixels in a buffer are those of a bitmap, which has the buffer for as long as it lives")
    func bitmap() throws {
        let pool = SharedBufferPool.apart()
        let size = PixelSize(width: 200, height: 100)
        var buffer: SharedBuffer? = try pool.makeBuffer(byteCount: 80_128)
        buffer.map(Self.fill)
        var bitmap = buffer.flatMap {
            Bitmap(
                sharing: $0, from: 128, size: size, format: .rgba8Straight, colorSpace: .sRGB, isOpaque: false)
        }
        buffer = nil
        #expect(pool.idleByteCount == 0)
        #expect(bitmap?.withUnsafeBytes { $0.count == 80_000 && $0.allSatisfy { $0 == 7 } } == true)
        bitmap = nil
        #expect(pool.idleByteCount > 0)
    }

    @Test("a bitmap lies within its buffer, or is none")
    func outside() throws {
        let buffer = try SharedBufferPool.apart().makeBuffer(byteCount: 1 << 16)
        func bitmap(_ width: Int, _ height: Int, from offset: Int) -> Bitmap? {
            Bitmap(
                sharing: buffer, from: offset, size: PixelSize(width: width, height: height), format: .rgba8Straight,
                colorSpace: .sRGB, isOpaque: true)
        }
        #expect(bitmap(128, 128, from: 0) != nil)
        for (width, height, offset) in [
            (128, 128, 64), (128, 128, -64), (128, 127, 1), (0, 1, 0), (-1, -1, 0), (1 << 40, 1 << 40, 0),
            (1, 1, Int.max - 63), (1, 1, 1 << 16),
        ] { #expect(bitmap(width, height, from: offset) == nil) }
    }
}

extension SharedBufferPool {
    /// One that the machine's memory pressure does not reach, and that clears at once.
    fileprivate static func apart(
        maximumByteCount: Int = 128 << 20, pressure: MemoryPressure = MemoryPressure(source: NoMemorySignals()),
        perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) -> SharedBufferPool {
        SharedBufferPool(maximumByteCount: maximumByteCount, pressure: pressure, perform: perform)
    }
}

struct NoMemorySignals: MemoryPressureSource {
    func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)? { nil }
}

/// Work that a test performs when it wants.
private final class HeldWork: Sendable {
    private let works = Mutex<[@Sendable () -> Void]>([])

    @Sendable func add(_ work: @escaping @Sendable () -> Void) { works.withLock { $0.append(work) } }

    func perform() {
        for work in works.withLock({ $0 }) { work() }
    }
}
