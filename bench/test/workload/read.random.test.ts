import fc from 'fast-check';
import { expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { loadSchema } from '../../src/plan/loads.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import { loadsOf } from '../../src/workload/loads.ts';
import { ownWorkloads, workloadIn } from '../../src/workload/read.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { mutated, property, unless } from '../support/random.ts';

const machine = makeMachine();
const topologies = resolveTopologies(['single', 'max'], machine);
const options = makeOptions({ topologies: ['single', 'max'], connections: 100 });
const PILOTS = [
  { kind: 'capacity', server: 'a/single', perS: 100 },
  { kind: 'singleRequest', server: 'a/single', cpuNs: 1e6 },
] as const;

property(
  'a declaration is refused with its problem, or makes loads that a plan can have',
  fc.oneof(...ownWorkloads().map(({ workload }) => mutated(workload))),
  (declared) => {
    const workload = unless(UserError, () => workloadIn('workload.json', declared));
    if (workload === undefined) return;
    const isByBusy = JSON.stringify(workload.loads).includes('busyAtMost');
    const pilot = PILOTS[isByBusy ? 1 : 0];
    for (const { load } of loadsOf(workload, { options, topologies, machine, pilot })) {
      expect(loadSchema.parse(load)).toEqual(load);
    }
  },
);
