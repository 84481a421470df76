// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Picture",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(name: "Picture", dependencies: [.product(name: "WebImageGTK", package: "WebImage")])
    ]
)
