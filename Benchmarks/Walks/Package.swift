// swift-tools-version: 6.2
import PackageDescription

/// The tree that is measured; scripts/survey sets it.
let tree = Context.environment["WEBIMAGE_TREE"] ?? "../.."

let package = Package(
    name: "Walks",
    dependencies: [.package(name: "WebImage", path: tree)],
    targets: [
        .executableTarget(
            name: "Walks",
            dependencies: [
                .product(name: "WebImageGTK", package: "WebImage"), .product(name: "webimage", package: "WebImage"),
            ])
    ]
)
