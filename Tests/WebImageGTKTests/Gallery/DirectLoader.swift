import WebImage

/// Loads from servers on this machine, whatever proxy the user has.
var directLoader: any ImageLoader {
    var config = WebImageDownloaderConfig()
    config.proxy = ""
    return WebImageDownloader(config: config)
}
