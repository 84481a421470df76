import Glibc

let code = await Interruption.watch {
    await CommandLineTool(console: Console()).run(Array(CommandLine.arguments.dropFirst()))
}
exit(code.rawValue)
