import FoundationEssentials
import WebImageCore
import WebImagePixels

extension LoadPlan {
    /// The part of an original file's picture that the transformer needs, if the decode can make it without the whole
    /// picture; nil if it cannot, or if something else needs the whole picture.
    func region(of data: Data) -> DecodeRegion? {
        guard let transformer, animatedClass == nil, context.cacheSerializer == nil, !storesOriginalInMemory,
            transformer.described != nil,
            let properties = try? coder.properties(of: data, isComplete: true, options: decodeOptions)
        else { return nil }
        return TransformBeginning(of: transformer, on: properties, by: decoder, options: decodeOptions)?.region
    }
}
