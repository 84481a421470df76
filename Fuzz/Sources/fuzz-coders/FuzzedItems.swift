import FoundationEssentials

@testable import WebImageCoders
@testable import WebImageCore

/// Reads what the library itself looks for in HEIF and AVIF files.
struct FuzzedItems: FuzzTarget {
    func run(_ bytes: Data) {
        let reader = ItemPropertyReader(bytes, format: .heif)
        _ = try? reader.kindOfPrimaryItem()
        _ = try? reader.transformationsOfPrimaryItem()
        _ = try? reader.colorsOfPrimaryItem()
        _ = try? reader.peakLuminanceOfPrimaryItem()
        _ = try? reader.isPrimaryItemGray()
    }
}
