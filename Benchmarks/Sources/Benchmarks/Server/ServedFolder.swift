import FoundationEssentials
import WebImage

/// Pictures that an nginx with two workers serves: as they are, and made smaller by its image filter.
final class ServedFolder {
    enum Picture: String, CaseIterable {
        case smallJPEG = "3.jpg"
        case largeJPEG = "12.jpg"
        case png = "3.png"
        /// For loads that are to be many.
        case icon = "icon.jpg"

        fileprivate var file: Data {
            get throws {
                switch self {
                case .smallJPEG: try SamplePhoto(size: PixelSize(width: 2000, height: 1500)).jpeg(quality: 0.9)
                case .largeJPEG: try SamplePhoto.twelveMegapixels.jpeg(quality: 0.9)
                case .png: try SamplePhoto(size: PixelSize(width: 2000, height: 1500)).encoded(to: .png)
                case .icon: try SamplePhoto(size: PixelSize(width: 320, height: 240)).jpeg()
                }
            }
        }
    }

    /// Other programs' files have room in it as well.
    let directory = TemporaryDirectory()
    private let port: UInt16
    let filterPort: UInt16
    private let server: RunningProgram

    init() throws {
        let (port, filterPort) = (try WebServer.freePort(), try WebServer.freePort())
        self.port = port
        self.filterPort = filterPort
        let folder = directory.path + "/pictures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for picture in Picture.allCases {
            try picture.file.write(to: URL(filePath: "\(folder)/\(picture.rawValue)"))
        }
        let configuration = Self.configuration(folder, port, filterPort)
        try Data(configuration.utf8).write(to: URL(filePath: directory.path + "/nginx.conf"))
        server = try RunningProgram(
            "nginx", ["-p", directory.path, "-c", directory.path + "/nginx.conf", "-e", "error.log"])
        try RequestLoad.awaitServer(port)
    }

    func url(_ picture: Picture) -> String { "http://127.0.0.1:\(port)/\(picture.rawValue)" }

    private static func configuration(_ folder: String, _ port: UInt16, _ filterPort: UInt16) -> String {
        """
        load_module /usr/lib/nginx/modules/ngx_http_image_filter_module.so;
        daemon off;
        worker_processes 2;
        pid nginx.pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            keepalive_requests 1000000;
            types { image/jpeg jpg; image/png png; }
            client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary;
            uwsgi_temp_path temporary; scgi_temp_path temporary;
            root \(folder);
            server { listen 127.0.0.1:\(port); }
            server {
                listen 127.0.0.1:\(filterPort);
                location / {
                    image_filter resize 500 -;
                    image_filter_jpeg_quality 80;
                    image_filter_buffer 64M;
                }
            }
        }
        """
    }
}
