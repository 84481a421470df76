// An app writes one import for all of the library.
@_exported import WebImageCache
@_exported import WebImageCoders
@_exported import WebImageCore
@_exported import WebImageHTTP
@_exported import WebImageIsolation
@_exported import WebImageLoading
@_exported import WebImagePixels
@_exported import WebImagePresentation
