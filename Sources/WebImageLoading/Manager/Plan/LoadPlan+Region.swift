import FoundationEssentials
import WebImageCore
import WebImagePixels

extension LoadPlan {
    /// What the transformer needs of the picture of an original file, where the decode can make it without the whole
    /// picture; nil where it cannot, or where the whole picture is needed for something else.
    func region(of data: Data) -> DecodeRegion? {
        guard let transformer, animatedClass == nil, context.cacheSerializer == nil, !storesOriginalInMemory,
            transformer is any RegionTransformer,
            let properties = try? coder.properties(of: data, isComplete: true, options: decodeOptions)
        else { return nil }
        return TransformBeginning(of: transformer, on: properties, options: decodeOptions)?.region
    }
}
