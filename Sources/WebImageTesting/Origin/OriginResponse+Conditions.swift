import FoundationEssentials

extension OriginResponse {
    /// Adds these validators; clients that send them back get 304 without a body (RFC 9110 §13).
    ///
    /// - Parameters:
    ///   - etag: With its quotes: `"1"`, `W/"1"`. Where a client sends `If-None-Match`, only that counts.
    ///   - lastModified: An HTTP date; only an identical one gets 304.
    public func validated(etag: String? = nil, lastModified: String? = nil) -> OriginResponse {
        with {
            $0.isConditional = true
            if let etag { $0.headers.append(HeaderField(name: "ETag", value: etag)) }
            if let lastModified { $0.headers.append(HeaderField(name: "Last-Modified", value: lastModified)) }
        }
    }

    /// For one user only: all other clients get 401 and a `Basic` challenge.
    public func protected(user: String, password: String) -> OriginResponse {
        with { $0.authorization = "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())" }
    }

    /// Sets a cookie.
    ///
    /// - Parameter attributes: The text after the value: `Path=/; Max-Age=60`.
    package func cookie(_ name: String, _ value: String, attributes: String = "Path=/") -> OriginResponse {
        header("Set-Cookie", "\(name)=\(value); \(attributes)")
    }

    /// The response to `request`.
    func resolved(for request: OriginRequest) -> OriginResponse {
        if let authorization, request.header("authorization") != authorization {
            return OriginResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"origin\"")])
        }
        guard isConditional, isKnown(to: request) else { return self }
        return with {
            $0.status = 304
            $0.body = Data()
        }
    }

    private func isKnown(to request: OriginRequest) -> Bool {
        guard let known = request.header("if-none-match") else {
            return request.header("if-modified-since").map { $0 == field("last-modified") } ?? false
        }
        guard let tag = field("etag") else { return false }
        return known == "*" || known.split(separator: ",").contains { $0.strongPart == tag[...].strongPart }
    }

    private func field(_ name: String) -> String? { headers.last { $0.name.lowercased() == name }?.value }
}

extension Substring {
    /// An entity tag without its weak prefix, as `If-None-Match` compares them (RFC 9110 §13.1.2).
    fileprivate var strongPart: Substring {
        let tag = drop { $0 == " " }
        return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }
}
