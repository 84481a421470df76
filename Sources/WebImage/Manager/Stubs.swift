import FoundationEssentials
struct HTTPCacheRules {
    init(headers: [String: String], storedAt: Date) {}
    func isFresh(at: Date) -> Bool { false }
    var validators: [String: String] { [:] }
    func headers(updatedBy h: [String: String]) -> [String: String] { h }
}
extension CacheKey {
    var scaleFactor: Double { 1 }
    var fileExtension: String? { nil }
}
