// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Toolkit",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(name: "Toolkit", dependencies: [.product(name: "WebImage", package: "WebImage")])
    ]
)
