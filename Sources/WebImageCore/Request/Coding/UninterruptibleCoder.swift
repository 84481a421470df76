/// A coder whose library draws a whole document in one call, which neither a cancellation nor a limit of time interrupts.
///
/// Its decodes have workers of their own: however long some of them take, all other pictures are decoded meanwhile.
package protocol UninterruptibleCoder: ImageCoder {}
