import type { Plan } from '../../plan/plan.ts';
import { isPlain } from '../../plan/topology.ts';
import type { Section } from '../document.ts';
import { section } from '../section.ts';

/** What only the full run measures; nothing unless the run measured just CPU time as a single process. */
export function notMeasuredSection({ loads, topologies }: Plan): Section[] {
  const isOne = loads.every(({ headline }) => headline === 'cpu') && topologies.every(isPlain);
  if (!isOne) return [];
  const text =
    'This run asked one question: what a request costs as a single process. Requests/s and latency under the published load, ' +
    'what more processes bring, and published claims need the full run: all topologies and its own load, without --quick.';
  return [section('Not measured', [text])];
}
