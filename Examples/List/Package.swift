// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "List",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(
            name: "List",
            dependencies: [
                .product(name: "WebImage", package: "WebImage"), .product(name: "WebImageGTK", package: "WebImage"),
            ])
    ]
)
