import Glibc
import Synchronization

/// Ownership of the directory. No call waits for another process.
extension DiskIndex {
    /// Tries to become the owner, unless this process has tried before.
    ///
    /// - Parameter isRepeated: Whether a guest tries again, since the former owner may have ended.
    func claim(isRepeated: Bool = false) {
        guard isClaimDue(isRepeated) else { return }
        claiming.withLock { _ in
            guard isClaimDue(isRepeated), directory.isThere else { return }
            do throws(FileSystemError) {
                let lock = try OwnerLock.take(files)
                directory.forgetRoot()
                state.withLock { $0.role = lock.map { .owner($0) } ?? .guest }
                if lock != nil { needsRefresh.store(true, ordering: .relaxed) }
            } catch {
                state.withLock { ($0.role, $0.claimFailure) = (.guest, error) }
            }
        }
    }

    /// What to warn of where no process can own the directory, since nothing is evicted then. A directory that may only be
    /// read needs no owner.
    var claimWarning: (String, FileSystemError?)? {
        guard let error = state.withLock({ $0.claimFailure.take() }), ![EROFS, EACCES, EPERM].contains(error.code)
        else {
            return nil
        }
        return ("the disk cache evicts nothing: \(error.webImageError(stage: .store).reason)", error)
    }

    private func isClaimDue(_ isRepeated: Bool) -> Bool {
        isUndecided || isRepeated && state.withLock { $0.isGuest }
    }

    /// Gives up ownership where the directory or its lock file was replaced: other processes lock the new one.
    func resignIfReplaced() {
        guard let lock = state.withLock({ $0.ownerLock }), !lock.isCurrent else { return }
        resign()
    }

    /// - Returns: Whether this process was the owner. The next owner may already have begun, without the latest changes
    ///   of this process.
    @discardableResult
    func resign() -> Bool {
        let former = state.withLock { state -> OwnerLock? in
            guard let lock = state.ownerLock else { return nil }
            state.role = .undecided
            state.forgetAll()
            return lock
        }
        needsRefresh.store(true, ordering: .relaxed)
        guard former != nil else { return false }
        files.leaveMark()
        return true
    }

    /// Discards the stamps: the index counts as incomplete until all directories are listed.
    func distrust() {
        state.withLock { state in
            state.stamps = DirectoryStamps()
            state.isComplete = false
            state.generation += 1
            if state.recent == nil { state.recent = RecentChanges() }
        }
        if state.withLock({ $0.isGuest }) { files.leaveMark() }
        needsRefresh.store(true, ordering: .relaxed)
    }
}
