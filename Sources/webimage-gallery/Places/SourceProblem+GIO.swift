import CGtk4

nonisolated extension SourceProblem {
    /// Takes GIO's error.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.init(message: "it could not be read")
            return
        }
        defer { g_error_free(error) }
        let message = String(cString: error.pointee.message)
        switch Self.code(error) {
        case G_IO_ERROR_NOT_FOUND:
            self.init(message: "it is not there: if it was moved or renamed, open it where it is now")
        case G_IO_ERROR_NOT_MOUNTED: self.init(message: "it is not mounted", isUnmounted: true)
        case G_IO_ERROR_NOT_SUPPORTED: self.init(message: "\(message); phones and servers need GVfs")
        // A dialog has said why, or was closed.
        case G_IO_ERROR_FAILED_HANDLED: self.init(message: "it was not opened")
        default: self.init(message: message)
        }
    }

    /// nil for an error of another library.
    static func code(_ error: UnsafeMutablePointer<GError>) -> GIOErrorEnum? {
        guard error.pointee.domain == g_io_error_quark() else { return nil }
        return GIOErrorEnum(rawValue: .init(bitPattern: error.pointee.code))
    }
}
