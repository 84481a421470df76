// swift-tools-version: 6.2
import PackageDescription

// A package of its own: a fuzzer's program cannot be linked without the sanitizer, and `swift test` of the library's
// package would try to. `make fuzz` builds and runs it.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "WebImage", path: "..")],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz-coders",
            dependencies: [
                "CFuzzer", .product(name: "WebImage", package: "WebImage"),
                .product(name: "WebImageAVIF", package: "WebImage"),
                .product(name: "WebImageHEIF", package: "WebImage"),
                .product(name: "WebImageJXL", package: "WebImage"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
