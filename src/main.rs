//! The command `promptrules`; everything lies in [`promptrules::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    promptrules::cli::main()
}
