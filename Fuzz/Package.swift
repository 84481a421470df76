// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The modules of all formats and the core; PDF is behind its trait.
let modules = ["WebImage", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImagePDF", "WebImageSVG", "WebImageTIFF"]

/// The library's own name for itself, by which a target sees what is not public: that of its directory.
let library = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent().lastPathComponent.lowercased()

// A package of its own: a fuzz target links only with the sanitizer, and `swift test` of the library's package would
// try to link it. `make fuzz` builds and runs it.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "WebImage", path: "..", traits: ["PDF"])],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz-coders",
            dependencies: ["CFuzzer"] + modules.map { .product(name: $0, package: "WebImage") },
            swiftSettings: [.unsafeFlags(["-package-name", library])]),
    ],
    swiftLanguageModes: [.v6]
)
