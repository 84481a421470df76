/// The version of the library and of the programs that come with it.
package enum WebImageVersion {
    package static let current = "1.0.0"
}
