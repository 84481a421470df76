import Glibc
import WebImageCommandLine

StandardDescriptors.occupy()
let code = await Interruption.watch {
    await CommandLineTool(console: Console()).run()
}
exit(code.rawValue)
