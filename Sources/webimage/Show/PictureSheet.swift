import WebImage
import WebImageCommandLine

/// Draws pictures as they come, row by row, and tells of those that have failed.
struct PictureSheet {
    private let console: Console
    private let report: ReportOptions
    private let hasNames: Bool
    private var row: PictureRow
    /// Whether every picture so far is drawn.
    private(set) var isWhole = true

    init(_ grid: PictureGrid, on screen: PictureScreen, hasNames: Bool, console: Console, report: ReportOptions) {
        row = PictureRow(places: [], grid: grid, screen: screen)
        self.hasNames = hasNames
        self.console = console
        self.report = report
    }

    mutating func take(_ outcome: ShowRun.Outcome) {
        guard !outcome.isCancelled else { return isWhole = false }
        if let error = outcome.record.error {
            isWhole = false
            console.printError("\(outcome.operand.name): \(error.message)")
        }
        if report.isJSON { return tell(outcome) }
        guard let bitmap = outcome.bitmap else { return }
        row.places.append(PictureRow.Place(bitmap: bitmap, name: outcome.operand.shortName))
        if row.places.count == row.grid.across { finish() }
    }

    /// Draws the last row.
    mutating func finish() {
        guard !row.places.isEmpty else { return }
        defer { row.places = [] }
        do throws(WebImageError) {
            console.printBytes(try row.drawing(withNames: hasNames))
        } catch {
            isWhole = false
            console.printError(error.reason)
        }
    }

    private mutating func tell(_ outcome: ShowRun.Outcome) {
        var record = ShowRecord(load: outcome.record)
        if let bitmap = outcome.bitmap {
            let place = PictureRow.Place(bitmap: bitmap, name: "")
            let alone = PictureRow(places: [place], grid: row.grid, screen: row.screen)
            do throws(WebImageError) {
                record.drawing = String(decoding: try alone.drawing(withNames: false), as: UTF8.self)
                record.columns = alone.width
                record.rows = alone.height
            } catch {
                isWhole = false
                record.load.error = ErrorRecord(error)
                console.printError("\(outcome.operand.name): \(error.reason)")
            }
        }
        console.printLine(JSON.line(record))
    }
}
