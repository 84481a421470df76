import FoundationEssentials
import WebImageCore

extension S3Settings {
    /// The settings that other programs for S3 use: variables first, then the files of a user.
    ///
    /// - `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`: the key; otherwise that of the profile
    ///   `AWS_PROFILE`, `default` by default, in `AWS_SHARED_CREDENTIALS_FILE`, `~/.aws/credentials` by default, or in
    ///   `AWS_CONFIG_FILE`, `~/.aws/config` by default. Without any, requests are not signed.
    /// - `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile; `us-east-1` by default.
    /// - `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, or `endpoint_url` of the profile.
    ///
    /// - Throws: For a value that is wrong, and for a profile that is named and in no file.
    static func fromEnvironment(_ environment: [String: String]) throws(AddressError) -> S3Settings {
        let variables = environment.filter { !$0.value.isEmpty }
        let profile = try profile(variables)
        let hasKey = variables["AWS_ACCESS_KEY_ID"] != nil && variables["AWS_SECRET_ACCESS_KEY"] != nil
        let key =
            hasKey
            ? ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"].map { variables[$0] }
            : ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"].map { profile[$0] }
        return try S3Settings(
            region: variables["AWS_REGION"] ?? variables["AWS_DEFAULT_REGION"] ?? profile["region"] ?? "us-east-1",
            endpoint: variables["AWS_ENDPOINT_URL_S3"] ?? variables["AWS_ENDPOINT_URL"] ?? profile["endpoint_url"],
            accessKey: key[1] == nil ? nil : key[0], secret: key[1] ?? "", sessionToken: key[2])
    }

    /// The profile's values of both files, those for credentials first.
    private static func profile(_ variables: [String: String]) throws(AddressError) -> [String: String] {
        let name = variables["AWS_PROFILE"] ?? "default"
        let home = variables["HOME"] ?? ""
        let files = [
            (variables["AWS_CONFIG_FILE"] ?? "\(home)/.aws/config", name == "default" ? name : "profile \(name)"),
            (variables["AWS_SHARED_CREDENTIALS_FILE"] ?? "\(home)/.aws/credentials", name),
        ]
        let found = files.compactMap { file, section in ProfileFile(path: file)?.sections[section] }
        guard !found.isEmpty || variables["AWS_PROFILE"] == nil else {
            throw AddressError("the profile \(name) is neither in \(files[1].0) nor in \(files[0].0)")
        }
        return found.reduce([:]) { $0.merging($1) { $1 } }
    }
}

/// A file of sections, `[name]`, with a setting in each line, `name = value`.
private struct ProfileFile {
    private(set) var sections: [String: [String: String]] = [:]

    /// nil for a file that cannot be read.
    init?(path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        var section = ""
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            // Lines that are indented belong to the setting before them, which is none of those that are wanted.
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            if first == "[" {
                section = line.dropFirst().prefix { $0 != "]" }.split(whereSeparator: \.isWhitespace).joined(
                    separator: " ")
                sections[section] = sections[section] ?? [:]
                continue
            }
            let (name, value) = line.divided(at: "=")
            guard let value else { continue }
            sections[section]?[name.trimmed.lowercased()] = value.trimmed
        }
    }
}
