import WebImageCache
import WebImageCore

// A query for a picture is a load from the cache only: what answers it stands here, and not beside the cache.
extension ImageCache: ImageCaching {}
