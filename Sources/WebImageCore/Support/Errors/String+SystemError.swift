import Glibc

extension String {
    /// The system's text for an `errno`: `No space left on device`. Any thread: glibc's `strerror` has been safe since
    /// 2.32.
    package init(systemError code: Int32) { self = strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
