import Glibc
import WebImage
import WebImageCommandLine

StandardDescriptors.occupy()
ProcessLimits.check()
StandardDescriptors.silenceLibraries()
ImageCodersManager.registerAllCoders()
let code = await Interruption.watch {
    await CommandLineTool(console: Console()).run()
}
exit(code.rawValue)
