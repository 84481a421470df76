import WebImage
import WebImageCommandLine

/// The program: `webimage transition` with its arguments.
struct TransitionTool {
    let console: Console

    func run() async -> ExitCode {
        WebImageLog.setHandler { [console] in console.printError("warning: \($0)") }
        do throws(UsageError) {
            return await TransitionCommand.run(try ProgramArguments.read(), on: console)
        } catch {
            return console.refuse(error, command: TransitionCommand.name)
        }
    }
}
