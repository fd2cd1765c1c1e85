//! Independent pieces of work, shared out among threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of `work` for all items, in their order. With one thread, or one item, the caller's
/// thread does everything. After an error no further item is begun; of several errors the one of
/// the first item is returned.
pub fn map<T: Sync, R: Send, E: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let work_on = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return results };
            let result = work(item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            results.push((index, result));
        }
    };
    let helpers = threads.min(items.len()).saturating_sub(1);
    let mut results = thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(work_on)).collect();
        let mut results = work_on();
        for helper in helpers {
            results.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [0, 1, 2, 7] {
            let doubled = map(threads, &items, |&item| Ok::<_, ()>(2 * item));
            assert_eq!(doubled, Ok((0..1000).map(|item| 2 * item).collect()));
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<u32> = (0..1_000_000).collect();
        let begun = AtomicUsize::new(0);
        let end = map(2, &items, |&item| {
            begun.fetch_add(1, Ordering::Relaxed);
            if item == 10 { Err(item) } else { Ok(()) }
        });
        assert_eq!(end, Err(10));
        assert!(begun.into_inner() < items.len());
    }
}
