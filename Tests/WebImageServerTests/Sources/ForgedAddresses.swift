/// Addresses by which strangers try to reach this machine, its network or the services of its cloud.
enum ForgedAddresses {
    /// The address of the internet that tests have on their own network.
    static let publicHost = "93.184.216.34"
    static let publicHosts: Set = [publicHost, "2606:4700::1111"]

    /// Not of the internet (IANA's registry of special-purpose addresses).
    static let privateIPv4 = [
        "127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1", "172.16.0.1", "100.64.0.1", "0.0.0.0",
        "127.255.255.254",
        "172.31.255.254", "100.127.255.254", "0.1.2.3", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1",
        "198.19.255.254",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    ]

    static let privateIPv6 = [
        "::1", "::", "0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0001", "::0.0.0.1", "fe80::1",
        "fe80::1%25lo", "fe80::1%lo",
        "::1%25lo", "fc00::1", "fd00:ec2::254", "fdff::1", "fec0::1", "ff02::1", "ff05::1", "100::1", "100:0:0:1::1",
        "5f00::1", "3fff::1",
        "3fff:fff::1", "2001:db8::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff::1", "4000::1",
        "8000::1", "e000::1",
        "::2", "1::1", "64:ff9b:1::1", "64:ff9b:2::1", "::ffff:0:0", "FE80::A", "FD00::B",
    ]

    // MARK: Literal addresses

    /// Those that name what they want to reach by its number.
    static func numbers(port: Int) -> [String] {
        let hosts =
            privateIPv4 + privateIPv4.prefix(6).flatMap(spellings) + privateIPv6.map { "[\($0)]" }
            + ["localhost", "LOCALHOST", "localhost.", "%6cocalhost"]
        return hosts.flatMap { ["http://\($0):\(port)/a", "http://\($0)/a"] }
            + hosts.prefix(12).map { "https://\($0)/a" }
            + otherSchemes(port)
    }

    /// Those that programs may take for them, or for names that a name server is asked for.
    static func lookalikes(port: Int) -> [String] {
        let names = [
            "LocalHost..", "ip6-localhost", "ip6-loopback", "localhost.localdomain", "localhost6", "broadcasthost", "*",
            "_",
        ]
        return (privateIPv4.prefix(6).flatMap(disguises) + names).map { "http://\($0):\(port)/a" } + confusions(port)
    }

    /// The ways to write an address of IPv4.
    private static func spellings(of address: String) -> [String] {
        let parts = address.split(separator: ".").compactMap { UInt32($0) }
        let number = parts.reduce(0) { $0 << 8 | $1 }
        let hex = { (value: UInt32) in String(value, radix: 16) }
        let octal = { (value: UInt32) in "0" + String(value, radix: 8) }
        let (high, low) = (hex(number >> 16), hex(number & 0xFFFF))
        let teredo = "\(hex(~number >> 16 & 0xFFFF)):\(hex(~number & 0xFFFF))"
        let six = [
            "::ffff:\(address)", "::FFFF:\(high):\(low)", "0:0:0:0:0:ffff:\(high):\(low)", "::\(address)",
            "::ffff:0:\(address)",
            "64:ff9b::\(address)", "64:ff9b::\(high):\(low)", "64:ff9b:1::\(address)", "64:ff9b:1:ffff::\(high):\(low)",
            "2002:\(high):\(low)::1", "2001:0:5db8:d822:0:ffff:\(teredo)", "2606:4700::5efe:\(address)",
            "2606:4700::200:5efe:\(address)",
            "fe80::5efe:\(address)",
        ]
        return [
            "\(number)", "0x" + hex(number), "0X" + hex(number).uppercased(), octal(number), "000" + octal(number),
            parts.map { "0x" + hex($0) }.joined(separator: "."), parts.map(octal).joined(separator: "."),
            parts.map { "000" + octal($0) }.joined(separator: "."), "\(parts[0]).\(number & 0xFFFFFF)",
            "\(parts[0]).\(parts[1]).\(number & 0xFFFF)", "0x\(hex(parts[0])).\(octal(parts[1])).\(number & 0xFFFF)",
            address + ".", address.replacing(".", with: "%2e"), address.replacing("1", with: "%31"), "[\(address)]",
        ] + six.map { "[\($0)]" }
    }

    private static func disguises(of address: String) -> [String] {
        [
            address.replacing(".", with: "。"), address.replacing(".", with: "．"), wide(address, from: 0xFF10),
            wide(address, from: 0x1D7CE),
            address.replacing("1", with: "①"), address + "..", address + ".256", "\(address).nip.test",
            "4294967297.\(address)",
        ]
    }

    /// With digits that programs may take for those of ASCII.
    private static func wide(_ text: String, from zero: UInt32) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    ("0"..."9").contains(scalar) ? Unicode.Scalar(zero + scalar.value - 0x30) ?? scalar : scalar
                }))
    }

    /// Those that two programs read in two ways.
    private static func confusions(_ port: Int) -> [String] {
        let (good, bad) = ("\(publicHost):\(port)", "127.0.0.1:\(port)")
        return [
            "http://\(good)@\(bad)/a", "http://\(good)%40\(bad)/a", "http://user:word@\(bad)/a", "http://@\(bad)/a",
            "http://:@\(bad)/a",
            "http://\(bad)#@\(good)/a", "http://\(bad)?@\(good)/a", "http://\(bad)\\@\(good)/a",
            "http://\(good)\\@\(bad)/a",
            "http:\\\\\(bad)/a", "http:/\\\(bad)/a", "http:\(bad)/a", "http:///\(bad)/a", "http:////\(bad)/a",
            "http:/\(bad)/a",
            "//\(bad)/a", "\\\\\(bad)\\a", "/\(bad)/a", bad, "http://\(bad):\(port)/a",
            "http://\(good):\(port)@\(bad)/a",
            "http://[\(bad)]/a", "http://[::1]\(bad)/a", "http://[::1@\(bad)/a", "http://127.0.0.1%00.\(good)/a",
            "http://127.0.0.1%23\(good)/a",
            "http://127.0.0.1%2f\(good)/a", "http://127.0.0.1%3a\(port)/a", "http://127.0.0.1 :\(port)/a",
            "http:// \(bad)/a", " http://\(bad)/a",
            "ht\ttp://\(bad)/a", "http://127.0\t.0.1:\(port)/a", "http://127.0.0.1\n:\(port)/a",
            "http://\(bad)/a\r\nHost: x",
            "http://\(good)/\r\nHost: \(bad)\r\n\r\n", "http://127.0.0.1\u{0}:\(port)/a",
            "http://127.0.0.1\u{200b}:\(port)/a",
            "http://127.0.0.1\u{ad}:\(port)/a", "http://\u{feff}127.0.0.1:\(port)/a",
            "http://loc\u{ad}alhost:\(port)/a",
            "http://ｌｏｃａｌｈｏｓｔ:\(port)/a", "http://LOCALHOſT:\(port)/a", "http://lo\u{2102}alhost:\(port)/a",
            "http://127.1:0\(port)/a",
            "http://127.0.0.1:\(port + 65536)/a", "http://127.0.0.1:+\(port)/a", "http://127.0.0.1:/a",
            "HTTP://\(bad)/a", "hTTp:\\//\(bad)/a",
        ]
    }

    private static func otherSchemes(_ port: Int) -> [String] {
        let schemes = [
            "ftp", "gopher", "dict", "ldap", "tftp", "smb", "ws", "wss", "telnet", "imap", "rtsp", "sftp", "mqtt",
            "h2c", "proxy",
        ]
        return schemes.map { "\($0)://127.0.0.1:\(port)/a" } + [
            "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "file:/etc/passwd", "data:image/gif;base64,R0lGODlh",
            "unix:///run/a.sock",
            "http+unix://%2frun%2fa.sock/", "jar:http://127.0.0.1:\(port)!/", "view-source:http://127.0.0.1:\(port)/",
            "blob:http://127.0.0.1/",
            "url:http://127.0.0.1:\(port)/", "javascript:fetch('http://127.0.0.1:\(port)')",
            "local://127.0.0.1:\(port)/a",
            "local:///../../etc/passwd", "local:///proc/self/environ", "local:////127.0.0.1/a",
            "s3://127.0.0.1:\(port)/a", "s3://127.0.0.1:\(port)?/a",
            "s3://x@127.0.0.1:\(port)#/a", "s3://bucket/../../127.0.0.1:\(port)/a", "s3:http://127.0.0.1:\(port)/a",
        ]
    }

    // MARK: With a name server

    /// Hosts whose names say which addresses they have (``NameServer``).
    static func names(port: Int) -> [String] {
        let four = privateIPv4.map { "v4-\($0.replacing(".", with: "-")).test" }
        let six = Set(privateIPv6.compactMap(NameServer.name(ofIPv6:))).sorted()
        let embedded = privateIPv4.prefix(4).flatMap { address in
            ["::ffff:\(address)", "64:ff9b::\(address)", "2606:4700::5efe:\(address)"].compactMap(
                NameServer.name(ofIPv6:))
        }
        let others = ["alias.test", "V4-127-0-0-1.TEST", "v4-127-0-0-1.test.", "all.test"]
        return (four + six + embedded + others).map { "http://\($0):\(port)/a" }
    }

    /// Redirects of a host of the internet.
    static func redirects(port: Int) -> [String] {
        let targets =
            privateIPv4.map { "http://\($0):\(port)/a" } + privateIPv6.prefix(12).map { "http://[\($0)]:\(port)/a" }
            + spellings(of: "127.0.0.1").prefix(16).map { "http://\($0):\(port)/a" }
            + [
                "http://v4-127-0-0-1.test:\(port)/a", "//127.0.0.1:\(port)/a", "http:\\\\127.0.0.1:\(port)/a",
                "file:///etc/passwd", "ftp://127.0.0.1:\(port)/",
            ]
        return targets.enumerated().map { index, target in
            "http://\(publicHost):\(port)/\([301, 302, 303, 307, 308][index % 5])?\(target)"
        } + [
            "http://\(publicHost):\(port)/302?http://\(publicHost):\(port)/302?http://127.0.0.1:\(port)/a",
            "http://\(publicHost):\(port)/307?http://v4-93-184-216-34.test:\(port)/308?http://localhost:\(port)/a",
        ]
    }
}
