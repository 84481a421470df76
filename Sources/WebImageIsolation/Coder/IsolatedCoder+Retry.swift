import WebImageCore

extension IsolatedCoder {
    /// A helper that ends takes all pictures with it that are being decoded, and a kept worker may have been spoilt by an
    /// earlier picture. These begin once more; the one that ends its worker each time must not do so for ever.
    ///
    /// - Parameter work: Gets whether its worker must not have decoded others.
    static func retrying<Result>(
        _ work: (_ mustBeFresh: Bool) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        do throws(WebImageError) {
            return try work(false)
        } catch {
            guard error.mayBeOfAnotherPicture else { throw error }
            return try work(true)
        }
    }
}
