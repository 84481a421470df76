import CCurl
import WebImageCore

extension CurlHandle {
    /// The times of the request, as far as it has come.
    ///
    /// - Parameter hasConnection: Whether it has, or had, a connection.
    func metrics(hasConnection: Bool) -> TransferMetrics {
        let (lookup, connected) = (time(CURLINFO_NAMELOOKUP_TIME_T), time(CURLINFO_CONNECT_TIME_T))
        let secured = time(CURLINFO_APPCONNECT_TIME_T)
        let isReused = hasConnection ? connectionCount == 0 : nil
        var metrics = TransferMetrics(total: time(CURLINFO_TOTAL_TIME_T) ?? .zero)
        // libcurl counts all of them from the beginning, and gives those of a former request for a reused connection.
        if isReused != true {
            metrics.domainLookup = lookup
            metrics.connect = connected.map { $0 - (lookup ?? .zero) }
            metrics.secureConnection = secured.map { $0 - (connected ?? .zero) }
        }
        // libcurl 8.23 has one for a connection that did not come about.
        metrics.firstByte = hasConnection ? time(CURLINFO_STARTTRANSFER_TIME_T) : nil
        metrics.isReusedConnection = isReused
        metrics.networkProtocolName = protocolName
        metrics.remoteAddress = remoteAddress
        metrics.bodyByteCount = wireByteCount
        return metrics
    }

    /// nil for zero, libcurl's word for "did not happen".
    private func time(_ info: CURLINFO) -> Duration? {
        let microseconds = offset(info)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    private var protocolName: String? {
        switch long(CURLINFO_HTTP_VERSION) {
        case webimage_curl_http_1_0: "http/1.0"
        case webimage_curl_http_1_1: "http/1.1"
        case webimage_curl_http_2: "h2"
        case webimage_curl_http_3: "h3"
        default: nil
        }
    }
}
