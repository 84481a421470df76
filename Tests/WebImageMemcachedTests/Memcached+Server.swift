@testable import WebImageMemcached
@testable import WebImageTestDoubles

extension Memcached {
    var server: MemcachedServer { MemcachedServer(host: "127.0.0.1", port: port) }
}
