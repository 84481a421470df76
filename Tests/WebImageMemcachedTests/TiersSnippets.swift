// The code of Docs/Tiers.md about memcached, compiled. A test compares the two, so neither changes alone.
import WebImage
import WebImageMemcached

private func memcached() {
    var config = ImageCacheConfig()
    config.fartherTiers = [
        MemcachedTier(servers: [MemcachedServer(host: "10.0.0.7"), MemcachedServer(host: "10.0.0.8", weight: 2)])
    ]
    print(config)
}
