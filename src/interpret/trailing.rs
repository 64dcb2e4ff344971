//! Layer 3: the universal trailing blocks, after everything else, whatever the mode.

use super::record::{Composed, Recorder, RuleKind};
use super::run::Run;
use crate::message::SystemMessageConfig;

pub(super) fn add_blocks<'r, R: Recorder<'r>>(
    mut message: SystemMessageConfig<R::Text>,
    run: &mut Run<'_, 'r, R>,
) -> SystemMessageConfig<R::Text> {
    let rules = run.rules;
    for block in rules.blocks.iter().filter_map(|block| run.rule(RuleKind::Block, block)) {
        match &mut message {
            SystemMessageConfig::Append { content } | SystemMessageConfig::Customize { content, .. } => {
                *content = Some(content.take().unwrap_or_default().paragraph(block));
            }
            SystemMessageConfig::Replace { content } => *content = std::mem::take(content).paragraph(block),
        }
    }
    message
}
