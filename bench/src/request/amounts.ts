import type { TopologyName } from './option-values.ts';

/** How much is measured; times in seconds, as the user gives them. */
export interface Amounts {
  connections: number;
  pipelining: number;
  /** Of measurement, for each cell: of all launches together where it is sliced, of each otherwise. */
  durationS: number;
  sliceS: number;
  launches: number;
  /** The most that a server is warmed up after a start; it ends before that once it has settled. */
  warmupS: number;
}

/** What a kind of run does when nothing else is asked for. */
export interface Defaults extends Amounts {
  topologies: TopologyName[];
}

/** The topologies of a run, or a verification, for which nothing else is said. */
export const ALL_TOPOLOGIES: TopologyName[] = ['single', 'max', 2];
/** Two figures closer than this are the same, unless --equivalence says otherwise. */
export const EQUIVALENCE = 0.02;
/** `--until` ends here at the latest, unless --max-time says otherwise. */
export const MAX_TIME_S = 3600;
export const MIN_SLICE_S = 0.1;
