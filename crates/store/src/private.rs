//! The files of a database are their owner's alone: whoever else has an account on the machine reads nothing of what
//! teams have said.

use std::{fs::File, io, path::Path};

/// Sees to it that a file is there and that nobody but its owner may read or write it. What `SQLite` puts beside it gets
/// the same permissions.
pub(super) fn make_private(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

        let file = options.mode(OWNER_ALONE).open(path)?;
        // One that was copied here may be open to others.
        let permissions = file.metadata()?.permissions();
        if permissions.mode() & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(OWNER_ALONE))?;
        }
        Ok(())
    }
    #[cfg(not(unix))]
    options.open(path).map(drop)
}

/// Read and write, for the owner.
#[cfg(unix)]
const OWNER_ALONE: u32 = 0o600;
