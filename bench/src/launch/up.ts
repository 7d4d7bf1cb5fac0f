import { isAlive } from '../system/processes.ts';
import { declaredOnly } from '../targets/exchange.ts';
import type { Launcher, Started } from './server.ts';

/** Servers that somebody else has started: nothing is started, and nothing ends with the launch. */
export const launchUp: Launcher = async (specs) => {
  const started = specs.map((spec): Started => {
    const { up } = spec.target;
    if (up === null) throw new Error(`${spec.key} is not up`);
    const agreed = spec.target.requests.map(declaredOnly);
    const server = {
      ...{ spec, ...up, agreed, judged: [], managerPids: [] },
      ...{ group: null, isAlive: () => up.pids.every(isAlive), logTail: () => [] },
    };
    return { spec, outcome: { state: 'running', server } };
  });
  return { started, async [Symbol.asyncDispose]() {} };
};
