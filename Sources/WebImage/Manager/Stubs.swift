import FoundationEssentials
extension CacheKey {
    var scaleFactor: Double { 1 }
    var fileExtension: String? { nil }
    func transformed(_ k: String) -> CacheKey { CacheKey(string + "-" + k) }
}
extension Image { func transformed(by t: any ImageTransformer, for key: CacheKey) -> Image? { t.transform(self, for: key) } }
struct HTTPCacheRules { init(headers: [String: String], storedAt: Date) {}
  func isFresh(at: Date) -> Bool { false }
  var validators: [String: String] { [:] }
  func headers(updatedBy h: [String: String]) -> [String: String] { h } }
extension ImageDecodeOptions { static var defaultScaleDownLimitBytes: Int { 60 << 20 } }
