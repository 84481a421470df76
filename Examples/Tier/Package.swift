// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Tier",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(name: "Tier", dependencies: [.product(name: "WebImage", package: "WebImage")])
    ]
)
