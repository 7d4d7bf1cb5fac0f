import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import {
  changes,
  cpuLimits,
  milliseconds,
  names,
  type Rate,
  rates,
  runtimes,
  seconds,
  share,
  topologies,
  whole,
} from '../../src/request/option-values.ts';

const perS = (...amounts: number[]) =>
  amounts.map((each): Rate => ({ kind: 'per second', perS: each }));

const MANAGED = 'pmx:1,pmx:max,cluster:256,cluster:max';
const NODE_22 = { kind: 'node', version: '22' };

test.each<[(text: string) => unknown, string, unknown]>([
  [whole(1, 100), '100', 100],
  [seconds(0.1), '0.1', 0.1],
  [seconds(0.1), '86400', 86_400],
  [seconds(0), '0', 0],
  [milliseconds, '50ms', 50],
  [milliseconds, '50', 50],
  [milliseconds, '0.5s', 500],
  [names, 'b, a,b ,c', ['b', 'a', 'c']],
  [topologies, 'single,max,2,fork,2,single', ['single', 'max', 2, 'fork']],
  [topologies, MANAGED, MANAGED.split(',')],
  [topologies, 'reuse-port:max,threads:2', ['reuse-port:max', 'threads:2']],
  [topologies, '2,02,cluster:2,cluster:02', [2, 'cluster:2']],
  [rates, '0.5, 1000000', perS(0.5, 1_000_000)],
  [rates, '900,70%,100', [...perS(900), { kind: 'share', share: 0.7 }, ...perS(100)]],
  [rates, '100..800', perS(100, 200, 300, 400, 500, 600, 700, 800)],
  [rates, '1000..2000', perS(1000, 1140, 1290, 1430, 1570, 1710, 1860, 2000)],
  [runtimes, 'node@22,bun', [NODE_22, { kind: 'bun', version: null }]],
  [runtimes, ' deno@2.9', [{ kind: 'deno', version: '2.9' }]],
  [cpuLimits, '0.25, 0.5,2,0.50,0.01', [0.25, 0.5, 2, 0.01]],
  [changes, 'express@4', [{ target: null, dependency: 'express', version: '4' }]],
  [changes, 'web-app:ws@7.1', [{ target: 'web-app', dependency: 'ws', version: '7.1' }]],
  [changes, '@nestjs/core@11', [{ target: null, dependency: '@nestjs/core', version: '11' }]],
  [changes, 'a:@b/c@next', [{ target: 'a', dependency: '@b/c', version: 'next' }]],
])('%o reads %j', (parse, text, value) => {
  expect(parse(text)).toEqual(value);
});

test('a range of shares has both ends, at equal distances', () => {
  const shares = rates('10%..95%').map((rate) => (rate.kind === 'share' ? rate.share : 0));
  expect(shares).toHaveLength(8);
  expect([shares[0], shares[1], shares[7]]).toEqual(
    [0.1, 0.1 + 0.85 / 7, 0.95].map((each) => expect.closeTo(each, 12)),
  );
});

test('runtimes and changes come after those that were given before', () => {
  expect(runtimes('bun', runtimes('node')).map(({ kind }) => kind)).toEqual(['node', 'bun']);
  const all = changes('b@2,c@3', changes('a@1'));
  expect(all.map(({ dependency }) => dependency)).toEqual(['a', 'b', 'c']);
});

const RATE = 'Give requests per second up to 1000000, or a share such as 70%.';
const RANGE = 'Give a range such as 10%..95%, from low to high.';
const SECONDS = 'Give a number of seconds from 0.1 to 86400.';
const PERCENTAGE = 'Give a percentage such as 2%.';
const NAMES = 'Give names separated by commas.';
const CORES = 'Give numbers of cores from 0.01 to 256, to the hundredth, such as 1.5 or 0.25,0.5.';
const TOPOLOGY =
  '"#" is not a topology. Give "single", "fork", "max" or a number of processes from 1 to 256; ' +
  'a prefix ("pmx:", "cluster:", "reuse-port:", "threads:") selects another kind of cluster.';
const RUNTIME =
  '"#" is not a runtime. Give node, bun, deno, with a version such as node@22 unless you want the newest.';
const CHANGE =
  '"#" is not a version of a dependency. Give express@4, or express-app:express@4; the version may also be ' +
  'an address, a tarball or a folder, as in express@./express.';

// Texts are separated by bars; # stands for each in the message.
test.each<[(text: string) => unknown, message: string, texts: string]>([
  [whole(1, 100), 'Give a whole number from 1 to 100.', '0|101|1.5|-3|+3|1e2|0x10| 5|5 ||ten'],
  [seconds(0.1), SECONDS, '0.09|86400.1|-1|Infinity|NaN|30s|| '],
  [share, PERCENTAGE, '2|0%|0.0%|100%|-1%|2 %| 2%|%|2%%|.5%|1e1%|'],
  [names, NAMES, '|,|a,|,a|a,,b|a, ,b'],
  [topologies, NAMES, '|single,'],
  [topologies, TOPOLOGY, 'foo|0|257|1.5|-1|Max|maximum|single:2|fork:1|pmx|cluster|pmx:|cluster:0'],
  [topologies, TOPOLOGY, 'cluster:257|pmx:x|pm2:2|cluster:2:2|pmx: 2|:2'],
  [rates, RATE, '0|-5|1000001|Infinity|NaN|fast|500/s|100..|..100'],
  [milliseconds, 'Give a time such as 50ms or 0.5s.', '|ms|0|0s|-5|50 ms|5m|86401s|fast'],
  [rates, NAMES, '|,|500,|500,,600'],
  [rates, PERCENTAGE, '0%|100%|-5%|%|100%..200%|10%..20%,50%'],
  [rates, RANGE, '95%..10%|10%..10%|800..100|10%..500|100..95%|10%..50%..95%'],
  [runtimes, RUNTIME, 'nod|node@|node@lts|node@22.|node@1.2.3.4|Bun|@22'],
  [cpuLimits, CORES, '0|-1|0.001|0.125|300|half|25%'],
  [changes, CHANGE, 'express|express@|@4|app:|app:express|a:b:c@1|@nestjs@11'],
])('%o refuses with %j each of %s', (parse, message, texts) => {
  for (const text of texts.split('|')) {
    expect(() => parse(text)).toThrow(new InvalidArgumentError(message.replace('#', text)));
  }
});
