import { UserError } from '../base/errors.ts';
import type { RunRecord } from '../record/record.ts';
import { NO_SIDES_YET } from './ab.ts';
import { cluster } from './cluster.ts';
import { frameworks } from './frameworks.ts';
import { pm2Tax } from './pm2-tax.ts';
import { ratesOf } from './rates.ts';
import { NO_SERVERS_YET } from './run.ts';
import type { Suite } from './suite.ts';
import { truth, truthWhere } from './truth.ts';
import { whereOf } from './where.ts';
import { workloadSuite } from './workload.ts';

const SUITES: readonly Suite[] = [
  ...[NO_SERVERS_YET, NO_SIDES_YET, frameworks, ratesOf('frameworks'), cluster, pm2Tax],
  ...[truth, truthWhere, whereOf(frameworks)],
];

/** The suite of a record. @throws UserError if there is none of this name. */
export function suiteOf({ suite: name, workload }: Pick<RunRecord, 'suite' | 'workload'>): Suite {
  if (workload !== null) return workloadSuite(name, workload);
  const suite = SUITES.find((each) => each.name === name);
  if (suite !== undefined) return suite;
  const next = 'Read the record with the version of overhead that wrote it.';
  throw new UserError(`no kind of run is named "${name}"`, next);
}
