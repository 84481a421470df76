// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Browser",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(
            name: "Browser",
            dependencies: [
                .product(name: "WebImage", package: "WebImage"), .product(name: "WebImageGTK", package: "WebImage"),
            ])
    ]
)
