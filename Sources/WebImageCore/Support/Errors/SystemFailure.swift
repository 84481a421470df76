/// A call to the system that failed, with the system's `errno`.
package struct SystemFailure: Error, Equatable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package var text: String { String(systemError: code) }
}
