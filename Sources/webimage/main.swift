import Glibc
import WebImage
import WebImageCommandLine

StandardDescriptors.occupy()
ImageCodersManager.registerAllCoders()
let code = await Interruption.watch {
    await CommandLineTool(console: Console()).run()
}
exit(code.rawValue)
