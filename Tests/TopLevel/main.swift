// A program whose calls are at its top level. Overloads are chosen by other rules there than in an async function.

import Foundation
import WebImage

let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
let prefetcher = WebImagePrefetcher(manager: .shared)
let progress = await prefetcher.prefetch(urls)
print("\(progress.finishedCount) of \(progress.totalCount), \(progress.skippedCount) skipped")
