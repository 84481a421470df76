import CCanary
import Glibc

/// The misdeed of a decoder that is in the hands of its picture, or broken.
enum Misdeed: String {
    case crash, abort, exit, loop, sleep, exhaust
    /// More than any decoder has.
    case threads
    /// Questions for a file that is none of a font, without end.
    case questions
    /// A system call that ends the worker.
    case socket
    /// Its connection, with a loop behind, so that no end of the process would tell.
    case close

    func commit(_ number: Int32 = 0) {
        switch self {
        case .crash: UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
        case .abort: Glibc.abort()
        case .exit: _exit(number)
        case .loop: while getpid() != 0 {}
        case .sleep: Self.sleepForever()
        case .exhaust: Self.exhaustMemory()
        case .questions: while getpid() != 0 { Glibc.close(Glibc.open("/etc/passwd", O_RDONLY)) }
        // It goes on if the kernel refuses them.
        case .threads: if webimage_canary_start_threads(1000) == 0 { Self.sleepForever() }
        case .socket: kill(getpid(), 0)
        case .close:
            for number in 3..<64 as Range<Int32> { Glibc.close(number) }
            while getpid() != 0 {}
        }
    }

    private static func sleepForever() {
        var mutex = pthread_mutex_t()
        pthread_mutex_init(&mutex, nil)
        pthread_mutex_lock(&mutex)
        pthread_mutex_lock(&mutex)
    }

    /// Four gigabytes, as a decoder takes them that does not look whether it gets them.
    private static func exhaustMemory() {
        for _ in 0..<64 {
            guard let memory = malloc(64 << 20) else { Glibc.abort() }
            memset(memory, 1, 64 << 20)
        }
    }
}
