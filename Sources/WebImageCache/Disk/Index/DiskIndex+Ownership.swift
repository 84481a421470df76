import Glibc
import Synchronization
import WebImageCore

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
                state.withLock { ($0.role, $0.claimFailure) = (lock.map { .owner($0) } ?? .guest, nil) }
                if lock != nil { needsRefresh.store(true, ordering: .relaxed) }
            } catch {
                state.withLock { ($0.role, $0.claimFailure) = (.guest, error) }
            }
        }
    }

    /// The warning for a directory that this process cannot own, since it evicts nothing then. If the directory itself
    /// cannot be written, there is nothing to evict for, and each store reports why.
    var claimWarning: (String, FileSystemError?)? {
        guard let error = state.withLock({ $0.claimFailure.take() }), files.canCreate else { return nil }
        let isForbidden = [EACCES, EPERM].contains(error.code)
        let reason =
            isForbidden
            ? "cannot open \(error.path.abbreviated(to: 300)): \(String(systemError: error.code)); remove this file or "
                + "let this user write it"
            : error.webImageError(stage: .store).reason
        return ("the disk cache evicts nothing: \(reason)", error)
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
