import FoundationEssentials
import WebImageCore
import WebImageHTTP

// The pictures that the load may see, and the loads that may see what it gets.
extension LoadPlan {
    /// The rights of the load, which the bytes that it gets keep.
    var rights: LoadRights {
        var rights = LoadRights()
        rights.acceptsAnyCertificate = options.contains(.allowInvalidSSLCertificates)
        if let credential = context.downloadCredential ?? url.separatingCredential().1 ?? loader.credential(for: url) {
            let salt = "\(credential.user)@\(url.host().map(HostSpelling.of) ?? "")"
            rights.credential = PasswordDigest.number(of: credential.password, salt: salt)
        }
        if let decryptor = context.downloadDecryptor {
            rights.decryptor = max(1, SHA256.firstHalf(of: decryptor.identifier).high)
        }
        return rights
    }

    /// Whether the load may see a picture in memory. A picture whose file on this machine has changed is
    /// not the one that the load wants.
    func maySee(_ image: Image) -> Bool {
        maySee(image.origin.rights) && image.origin.localFile.map(\.isCurrent) ?? true
    }

    /// Whether the load may see what was got with `others`.
    func maySee(_ others: LoadRights) -> Bool {
        // Mostly there are none: then those of the load need not be known.
        others == LoadRights() || rights.includes(others)
    }

    /// The picture of a cache's memory, if the load may see it.
    func imageFromMemory(of cache: any ImageCaching, for key: CacheKey) -> Image? {
        cache.imageFromMemory(for: key).flatMap { maySee($0) ? $0 : nil }
    }
}
