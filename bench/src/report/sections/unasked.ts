import type { Plan } from '../../plan/plan.ts';
import { isPlain } from '../../plan/topology.ts';
import type { Section } from '../document.ts';
import { paragraph, section } from '../section.ts';

/** What a run that asked one question alone leaves to the full one; nothing where it asked for more. */
export function unaskedSection({ loads, topologies }: Plan): Section[] {
  const isOne = loads.every(({ headline }) => headline === 'cpu') && topologies.every(isPlain);
  if (!isOne) return [];
  const text =
    'This run asked one question: what a request costs as a single process. Requests/s and latency under ' +
    'the published load, what more processes bring, and what others published need the full run: with all ' +
    'topologies and its own load, and without --quick.';
  return [section('What it leaves out', [paragraph(text)])];
}
