import { performance } from 'node:perf_hooks';

/** The monotonic clock when `performance.now()` was 0, ns. */
const offsetNs = Number(process.hrtime.bigint()) - performance.now() * 1e6;

/** The instant that a question names, by `performance.now()`, ms: `/timer?since=NS` of the monotonic clock, or ever. */
export function sinceMs(url: string): number {
  const ns = Number(new URL(url, 'http://localhost').searchParams.get('since'));
  return (ns - offsetNs) / 1e6;
}
