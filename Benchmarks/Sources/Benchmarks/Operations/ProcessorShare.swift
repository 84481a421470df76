import COpenCV
import CProcessors
import CVips
import Glibc

/// The processors that operations may use.
protocol ProcessorShare: Sendable {
    static var id: String { get }
    static var title: String { get }
    /// 0 for all.
    static var count: Int32 { get }
}

enum OneProcessor: ProcessorShare {
    static let id = "one"
    static let title = "one core"
    static let count: Int32 = 1
}

enum AllProcessors: ProcessorShare {
    static let id = "all"
    static let title = "all cores"
    static let count: Int32 = 0
}

extension ProcessorShare {
    /// Limits this process and its rivals' libraries to the share.
    static func apply() throws {
        guard webimage_use_processors(count) == 0 else { throw BenchmarkError("the processors cannot be chosen") }
        let threads = count > 0 ? count : Int32(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        webimage_vips_use_threads(threads)
        webimage_opencv_use_threads(threads)
    }

    /// The milliseconds that `work` takes: of one processor its own time, which other load hardly changes, of several the
    /// clock's.
    static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        count == 1 ? try processorMilliseconds(work) : try seconds(work) * 1e3
    }
}
