import type { RunningServer } from '../launch/server.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Collection } from '../system/collections.ts';
import type { Sampled } from '../system/inspector.ts';
import type { RunContext } from './context.ts';
import { Calls } from './inlined.ts';
import { addProfile, attributor, insideNs } from './profiles.ts';

/** What is known of a server's calls, with what this profile adds. */
export function callsOf(
  server: RunningServer,
  { profile }: Sampled,
  { calls }: Pick<RunContext, 'calls'>,
): Calls {
  const known = calls.get(server) ?? new Calls();
  known.learn(profile.nodes);
  calls.set(server, known);
  return known;
}

/** Takes what V8 sampled in a slice into the record. */
export function addSampled(
  { cell, launch, measurement }: Pick<Slice, 'cell' | 'launch' | 'measurement'>,
  sampled: Sampled,
  server: RunningServer,
  { record, ...context }: Pick<RunContext, 'record' | 'calls'>,
): void {
  const calls = callsOf(server, sampled, context);
  const { openedNs, windowNs: ns } = measurement;
  if (openedNs === null) return;
  const known = record.profiles.find((each) => each.cell === cell && each.launch === launch);
  const profile = known ?? { cell, launch, samples: 0, functions: [] };
  if (known === undefined) record.profiles.push(profile);
  const charge = attributor(server.spec.target.directory);
  Object.assign(profile, addProfile(profile, sampled, { openedNs, ns }, calls, charge));
}

/** Takes into the record how long the collector ran inside the window of a slice. */
export function addCollected(
  { cell, launch, measurement }: Pick<Slice, 'cell' | 'launch' | 'measurement'>,
  collections: readonly Collection[],
  record: Pick<RunRecord, 'collected'>,
): void {
  const { openedNs, windowNs } = measurement;
  if (openedNs === null) return;
  const known = record.collected.find((each) => each.cell === cell && each.launch === launch);
  const collected = known ?? { cell, launch, ns: 0 };
  if (known === undefined) record.collected.push(collected);
  const window = { openedNs, ns: windowNs };
  for (const { beganNs, ns } of collections) {
    collected.ns += insideNs(window, beganNs, beganNs + ns);
  }
}
