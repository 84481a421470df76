import Foundation
import WebImageCore
import WebImageTesting

/// Compares one exchange of a public test of HTTP caches with what the test expects.
struct HTTPCacheCheck {
    let test: HTTPCacheCorpus.Test
    let number: Int
    let exchange: HTTPCacheCorpus.Exchange

    /// A server's answer, from the server or from the cache.
    struct Answer {
        let http: HTTPResponse
        let data: Data
    }

    /// - Parameter answer: nil where the server gave none.
    func failures(of answer: Answer?) -> [String] {
        guard let answer else {
            if case .stated(nil) = exchange.expectedStatus { return [] }
            return ["request \(number) failed"]
        }
        let http = answer.http
        return [type(of: http), status(of: http), body(of: answer)].compactMap(\.self) + fields(of: http)
    }

    /// - Parameter request: nil where the origin was not asked.
    func failures(of request: OriginRequest?) -> [String] {
        guard exchange.expectation != .cached else { return [] }
        var failures: [String] = []
        if exchange.expectation == .etagValidated, request?.header("if-none-match") == nil {
            failures.append("request \(number) is not validated by its tag")
        }
        if exchange.expectation == .dateValidated, request?.header("if-modified-since") == nil {
            failures.append("request \(number) is not validated by its date")
        }
        if let method = exchange.expectedMethod, request?.method != method {
            failures.append("request \(number) is not \(method)")
        }
        for field in exchange.expectedRequestHeaders where request?.header(field.name) != field.value?.text {
            failures.append("request \(number) has not the expected \(field.name)")
        }
        return failures
    }

    private func type(of http: HTTPResponse) -> String? {
        let count = http.header("server-request-count").flatMap { Int($0) } ?? number
        switch exchange.expectation {
        case .cached where count >= number: return "answer \(number) is not from the cache"
        case .notCached where count != number: return "answer \(number) is from the cache"
        default: return nil
        }
    }

    private func status(of http: HTTPResponse) -> String? {
        var expected = exchange.status?.code ?? 200
        if case .stated(let status) = exchange.expectedStatus {
            guard let status else { return nil }
            expected = status
        }
        return http.statusCode == expected ? nil : "answer \(number) has the status \(http.statusCode)"
    }

    private func body(of answer: Answer) -> String? {
        var expected = test.id
        if case .stated(let text) = exchange.expectedText {
            guard let text else { return nil }
            expected = text
        } else if case .stated(let text) = exchange.responseBody {
            guard let text else { return nil }
            expected = text
        } else if !exchange.checksBody || [204, 304].contains(answer.http.statusCode) {
            return nil
        }
        let text = String(decoding: answer.data, as: UTF8.self)
        return text == expected ? nil : "answer \(number) has the body \(text)"
    }

    private func fields(of http: HTTPResponse) -> [String] {
        // Dates are relative to that of the origin when it gave the answer.
        let now = http.header("server-now").flatMap { HTTPDateParser.date($0) } ?? Date()
        let expected = exchange.expectedResponseHeaders.filter { field in
            guard let value = http.header(field.name) else { return true }
            if let least = field.least { return Int(value).map { $0 <= least } ?? true }
            return field.value.map { $0.value(at: now) != value } ?? false
        }
        let surplus = exchange.missingResponseHeaders.filter { field in
            guard let value = http.header(field.name) else { return false }
            return field.value.map { value.contains($0.value(at: now)) } ?? true
        }
        return expected.map { "answer \(number) has not the expected \($0.name)" }
            + surplus.map { "answer \(number) has \($0.name)" }
    }
}

private enum HTTPDateParser {
    static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }
}
