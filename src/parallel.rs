//! The same work for many things, on all cores.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// How many things a thread takes at a time: few enough that all threads end together.
const SHARE: usize = 8;

/// The results of `work` for all items, in their order. Few items are not worth a thread.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    on(cores.min(items.len() / SHARE), items, work)
}

fn on<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let shares: Vec<&[T]> = items.chunks(SHARE).collect();
    let next = AtomicUsize::new(0);
    let take_shares = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(number) else { return done };
            done.push((number, share.iter().map(&work).collect::<Vec<R>>()));
        }
    };
    let mut done = thread::scope(|scope| {
        // Where the system has no thread left, this one takes all shares.
        let spawn = |_| Builder::new().spawn_scoped(scope, take_shares).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut done = take_shares();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for length in [0, 1, SHARE, SHARE + 1, 1000] {
            let items: Vec<usize> = (0..length).collect();
            let expected: Vec<usize> = items.iter().map(|item| item * 2).collect();
            for threads in [0, 1, 2, 3, 64] {
                assert_eq!(on(threads, &items, |item| item * 2), expected, "{length} items on {threads} threads");
            }
        }
    }
}
