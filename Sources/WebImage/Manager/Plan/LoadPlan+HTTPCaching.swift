// The rules of HTTP, as far as the load follows them.
extension LoadPlan {
    var httpCachePolicy: HTTPCachePolicy { context.httpCachePolicy ?? HTTPCachePolicy() }

    /// Whether no file may be written of the picture in `response`.
    func keepsOffDisk(_ response: HTTPResponse) -> Bool {
        guard !httpCachePolicy.ignoresNoStore, let field = response.header("cache-control") else { return false }
        return CacheControl(field).forbidsStorage(of: response.statusCode)
    }
}
