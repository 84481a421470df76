import FoundationEssentials

extension PictureServerSettings {
    /// Takes the lines of a file over what is set: `name = value`, the names being those of ``ServerSetting/all``.
    ///
    /// - Throws: ``PictureServerError`` for a file that cannot be read, and for the first line that is wrong.
    public mutating func apply(file path: String) throws(PictureServerError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw PictureServerError("the file of settings \(path) cannot be read")
        }
        do throws(PictureServerError) {
            for line in try SettingsFile(String(decoding: data, as: UTF8.self)).lines {
                try apply(line)
            }
        } catch {
            throw PictureServerError("\(path), \(error.description)")
        }
    }

    private mutating func apply(_ line: SettingsFile.Line) throws(PictureServerError) {
        guard let setting = ServerSetting.all.first(where: { $0.name == line.name }) else {
            throw PictureServerError("line \(line.number): \(line.name) is no setting; see webimage serve --help")
        }
        guard setting.isList || line.values.count == 1 else {
            throw PictureServerError("line \(line.number): \(line.name) has one value")
        }
        do throws(PictureServerError) {
            for value in line.values { try setting.apply(value, to: &self) }
        } catch {
            throw PictureServerError("line \(line.number): \(error.description)")
        }
    }

    /// Takes the variables of an environment over what is set: `WEBIMAGE_MAX_TIME` for `max-time`. A list has blanks between its
    /// values.
    ///
    /// - Throws: ``PictureServerError`` for the first that is wrong.
    public mutating func apply(environment: [String: String]) throws(PictureServerError) {
        for setting in ServerSetting.all {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            let values = setting.isList ? text.split(separator: " ").map(String.init) : [text]
            do throws(PictureServerError) {
                for value in values { try setting.apply(value, to: &self) }
            } catch {
                throw PictureServerError("the variable \(setting.variable): \(error.description)")
            }
        }
    }
}
