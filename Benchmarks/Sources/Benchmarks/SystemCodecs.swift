import CBareCodecs
import FoundationEssentials
import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL

// The formats with a module of their own.

enum BareAVIF: BareCodec {
    static let name = "avif"
    static let goal = 1.03
    static let coder: any ImageCoder = .avif
    static func file() throws -> Data { try SamplePhoto.twelveMegapixels.encoded(to: .avif, by: coder) }
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { webimage_bare_avif(bytes, count) }
}

enum BareHEIF: BareCodec {
    static let name = "heic"
    static let goal = 1.03
    static let coder: any ImageCoder = .heif
    static func file() throws -> Data { try SamplePhoto.twelveMegapixels.encoded(to: .heic, by: coder) }
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { webimage_bare_heif(bytes, count) }
}

enum BareJXL: BareCodec {
    static let name = "jxl"
    static let goal = 1.03
    static let coder: any ImageCoder = .jpegXL
    static func file() throws -> Data { try SamplePhoto.twelveMegapixels.encoded(to: .jpegXL, by: coder) }
    static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { webimage_bare_jxl(bytes, count) }
}
