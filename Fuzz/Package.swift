// swift-tools-version: 6.2
import PackageDescription

/// The modules of all formats and the core; PDF is behind its trait.
let modules = ["WebImage", "WebImageAVIF", "WebImageJXL", "WebImagePDF", "WebImageSVG", "WebImageTIFF"]

// A package of its own: a fuzz target links only with the sanitizer, and `swift test` of the library's package would
// try to link it. `make fuzz` builds and runs it.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "WebImage", path: "..", traits: ["PDF"])],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz-coders",
            dependencies: ["CFuzzer"] + modules.map { .product(name: $0, package: "WebImage") }),
    ],
    swiftLanguageModes: [.v6]
)
