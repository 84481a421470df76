// The code of Docs/Server.md, and of the server's own documentation, compiled. A test compares the two, so neither changes alone.
import Foundation
import WebImageServer

func serve() throws -> PictureServer {
    var settings = PictureServerSettings()
    settings.listen = "127.0.0.1:8080"
    settings.sources = ["https://pictures.example/"]
    return try PictureServer(settings: settings)
}

private func example() throws {
    var settings = PictureServerSettings()
    settings.listen = "127.0.0.1:8080"
    let server = try PictureServer(settings: settings)
    let example = URL(string: "http://\(server.address)\(server.examplePath)")
    print(example ?? "")
}
