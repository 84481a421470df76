import CFuzzer
import Foundation

// The environment selects the coder, because the arguments are the fuzzer's.
let name = ProcessInfo.processInfo.environment["CODER"] ?? ""
FuzzTargets.current = FuzzTargets.named(name)
guard FuzzTargets.current != nil else {
    print("fuzz: CODER is \"\(name)\"; it must be one of \(FuzzTargets.names.joined(separator: ", "))")
    exit(2)
}
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        FuzzTargets.current?.run(bytes.map { Data(bytes: $0, count: count) } ?? Data())
        return 0
    })
