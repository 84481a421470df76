import Foundation
import Synchronization
import WebImage
import WebImageCommandLine
import WebImageCore
import WebImageServer

/// `webimage serve`: pictures over HTTP, in any size and format.
struct ServeCommand: Command {
    static let name = "serve"
    static let summary = "Serve pictures over HTTP, made to the size and format that the address says"
    static let synopsis = ["[OPTION…]", "--purge SOURCE [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "config", .text("FILE", completion: .files), \.file,
                help: "a file of settings: NAME = VALUE, by the options' names"),
            .value("purge", .text("SOURCE"), \.purged, help: "remove a source and all that was made of it, and end"),
        ] + ServerSetting.all.map(Self.option)
    }
    static let notes = """
        Without options it serves this machine alone, and prints an address that works. Addresses are those of imgproxy:
        /SIGNATURE/OPTIONS/plain/SOURCE@FORMAT, as in /unsafe/rs:fit:300:300/plain/https://pictures.example/a.jpg@webp.

        A setting is taken from the option, else from the variable WEBIMAGE_NAME (such as WEBIMAGE_MAX_TIME), else from the
        file. An option that may be repeated adds to the others. Keys are better kept in the file: other users see options.

        SIGTERM and Control-C end it once its answers are sent. SIGHUP reads the file again and opens the access log again:
        presets, keys, sources, formats, qualities and ages change at once, all else with the next start. /health and /metrics tell of it.
        """
    static var operands: ValueCompletion { .nothing }

    var report = ReportOptions()
    private var file: String?
    private var purged: String?
    private var given: [Given] = []

    private struct Given: Sendable {
        let setting: ServerSetting
        let text: String
    }

    private static func option(_ setting: ServerSetting) -> CommandOption<Self> {
        guard let placeholder = setting.placeholder else {
            return .step(setting.name, help: setting.help) { command, _ in
                command.given.append(Given(setting: setting, text: "true"))
            }
        }
        return .step(setting.name, .setting(setting, placeholder), help: setting.help) { command, text, _ in
            command.given.append(Given(setting: setting, text: text))
        }
    }

    mutating func prepare(operands: [String]) throws(UsageError) {
        guard operands.isEmpty else {
            throw UsageError("\(operands[0].printable) is no option; the sources are in the addresses")
        }
    }

    /// The settings of the file, then of the environment, then of the options.
    private func settings() throws(PictureServerError) -> PictureServerSettings {
        var settings = PictureServerSettings()
        if let file { try settings.apply(file: file) }
        try settings.apply(environment: ProcessInfo.processInfo.environment)
        for given in given { try given.setting.apply(given.text, to: &settings) }
        return settings
    }

    func run(on console: Console) async -> ExitCode {
        do throws(PictureServerError) {
            let settings = try settings()
            if let purged {
                try await PictureServer.purge(purged, settings)
                if !report.isQuiet { console.printLine("purged \(purged.printable)") }
                return .done
            }
            return try await serve(settings, on: console)
        } catch {
            console.printError("serve: \(error.description)")
            return .failed
        }
    }

    private func serve(
        _ settings: PictureServerSettings, on console: Console
    ) async throws(PictureServerError) -> ExitCode {
        // It runs for weeks, and pictures are large.
        Heap.giveLargeBlocksBack()
        let server = try PictureServer(settings: settings)
        if !report.isQuiet {
            console.printError("listening; try http://\(server.address)\(server.examplePath)")
        }
        Interruption.onHangUp { reload(server, on: console) }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        await server.stop()
        return .done
    }

    private func reload(_ server: PictureServer, on console: Console) {
        do throws(PictureServerError) {
            try server.reload(try settings())
            console.printError("serve: the settings were read again")
        } catch {
            console.printError("serve: the settings stay as they are: \(error.description)")
        }
    }
}

extension OptionValue where Value == String {
    /// The value of a setting, which reads it itself.
    fileprivate static func setting(_ setting: ServerSetting, _ placeholder: String) -> Self {
        Self(placeholder: placeholder, expectation: setting.expectation ?? setting.help) { text in
            var settings = PictureServerSettings()
            do throws(PictureServerError) {
                try setting.apply(text, to: &settings)
                return text
            } catch {
                return nil
            }
        }
    }
}
