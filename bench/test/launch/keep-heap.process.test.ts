import { execa } from 'execa';
import { expect, test } from 'vitest';
import { keepHeapEnvironment } from '../../src/launch/server.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeTarget } from '../support/make-record.ts';
import { BUN } from '../support/make-runtimes.ts';

const place = ownPlace();

/** Makes garbage for half a second, during which V8's memory reducer would run, and prints its own option. */
const BUSY = `
  const kept = [];
  const end = Date.now() + 500;
  const burn = () => {
    for (let i = 0; i < 2e4; i++) {
      const made = { i, all: [i, i + 1] };
      if (i % 20 === 0) kept.push(made);
    }
    if (kept.length > 3e5) kept.length = 0;
    if (Date.now() < end) setImmediate(burn);
    else setTimeout(() => console.log('OPTION', process.env.OWN), 100);
  };
  burn();
`;

/** The output of a busy program whose memory reducer is traced, and due after 50 ms. */
async function reducing(env: Record<string, string>): Promise<string> {
  const flags = ['--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=50'];
  const options = { env, extendEnv: false };
  return (await execa(process.execPath, [...flags, '--eval', BUSY], options)).stdout;
}

test('on Node, and there alone, the memory reducer is off, and options of the server are kept', async () => {
  const script = place.write('own.cjs', "process.env.OWN = 'its own';");
  const own = { NODE_OPTIONS: `--require "${script}"` };
  const kept = [{}, { env: own }, { passed: own }].map((parts) => {
    return keepHeapEnvironment({ ...makeTarget('app'), ...parts });
  });
  const [without, ...all] = await Promise.all([{}, ...kept].map(reducing));
  expect(without).toContain('Memory reducer');
  expect(all).toEqual(['OPTION undefined', 'OPTION its own', 'OPTION its own']);
  expect(keepHeapEnvironment({ ...makeTarget('app'), runtime: BUN })).toEqual({});
});
