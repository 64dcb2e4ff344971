//! The command `promptrules`; everything lies in [`promptrules::cli`].

use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    promptrules::cli::main()
}
