import { describe, expect, test } from 'vitest';
import { commandsFor } from '../../src/commands/index.ts';
import { TIMEOUT_NS } from '../../src/plan/loads.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ask, DRAWN, runAsked } from '../support/ask.ts';
import { wordsOf } from '../support/command.ts';

const asksFor = (line: string) => runAsked(...wordsOf(line));
const optionsOf = (line: string): RunOptions => asksFor(line).options;
const kindOf = (line: string): string => asksFor(line).kind.name;

/** What is written where these words ask for nothing that can be done: an error, or help. */
function written(line: string, stream: 'out' | 'error'): string {
  const answer = ask(wordsOf(line));
  if (answer.state === 'asked') throw new Error(`${line} was accepted`);
  expect(answer.exitCode === 0).toBe(stream === 'out');
  return answer[stream];
}
const refusal = (line: string) => written(line, 'error');

/** The options of a help text: flags to description. */
function toldBy(line: string): Map<string, string> {
  const options = (written(line, 'out').split('Options:\n')[1] ?? '').split('\n\n')[0] ?? '';
  const entries = options.split(/\n(?= {2}-)/).map((entry): [string, string] => {
    const [flags = '', ...description] = entry.trim().split(/\s{2,}/);
    return [flags, description.join(' ').replaceAll(/\s+/g, ' ')];
  });
  return new Map(entries);
}

const COMMANDS = commandsFor([]).map(({ name }) => name);
const COST = { topologies: ['single'], connections: 100, pipelining: 10 };
const TAX = ['single', 'fork', 1, 'pmx:1', 'cluster:1', 'reuse-port:1', 'threads:1'];
const PUBLISHED = { topologies: ['single', 'max', 2], connections: 1000 };
const NO_RATES = { rates: null, p99Ns: null, driver: 'pacer' };
const NO_LIMITS = { cpuLimits: [], unpinned: false, contiguous: false };

describe('what is not given', () => {
  test.each<[string, object]>([
    ['frameworks', { ...PUBLISHED, pipelining: 1, launches: 6 }],
    ['cluster', { ...PUBLISHED, topologies: ['single', 'fork', 2, 'max', 8], pipelining: 10 }],
    ['cluster --pm2-tax', { ...COST, topologies: TAX }],
    ['frameworks --quick', COST],
    ['truth', COST],
  ])('to `%s` is %j', (line, options) => {
    const others = { until: null, failOn: null, equivalence: 0.02, seed: DRAWN };
    expect(optionsOf(line)).toMatchObject({ ...NO_RATES, ...NO_LIMITS, ...others, ...options });
  });

  test.each([
    ...['frameworks', 'cluster', 'cluster --pm2-tax', 'truth', 'price'],
    ...['frameworks --rate 500', 'cluster --rate 10%..95%'],
  ])('to `%s` is shorter with --quick', (line) => {
    const [full, quick] = [optionsOf(line), optionsOf(`${line} --quick`)];
    const totalS = ({ durationS, launches, warmupS }: RunOptions) => durationS + launches * warmupS;
    expect(totalS(quick)).toBeLessThan(totalS(full));
    expect(quick.durationS).toBeLessThanOrEqual(full.durationS);
    expect(quick.warmupS).toBeLessThan(full.warmupS);
    expect(quick.launches).toBeGreaterThanOrEqual(2);
    expect(kindOf(`${line} --quick`)).toBe(kindOf(line));
    // But for the frameworks, of which it asks one question, the load is the same; of the cluster fewer are measured.
    const { connections, pipelining, topologies, rates } = full;
    const same = { connections, pipelining, rates };
    const load = line === 'frameworks' ? COST : line === 'cluster' ? same : { ...same, topologies };
    expect(quick).toMatchObject(load);
  });

  test('is an overload of the cluster that is unbroken, and longer than its time-out', () => {
    const { durationS, sliceS } = optionsOf('cluster');
    expect(sliceS).toBe(durationS);
    expect(durationS * 1e9).toBeGreaterThanOrEqual(TIMEOUT_NS);
    expect(optionsOf('cluster --quick')).toMatchObject({ durationS, sliceS });
  });
});

describe('what is given', () => {
  const rates = [{ kind: 'per second', perS: 500 }];
  test.each<[string, object]>([
    ['frameworks -c 50 -p 2 -d 4.5', { connections: 50, pipelining: 2, durationS: 4.5 }],
    ['frameworks --seed 0', { seed: 0 }],
    ['frameworks --topology 4,single,max', { topologies: [4, 'single', 'max'] }],
    ['frameworks --slice 2 -d 8 --launches 4 --quick', { durationS: 8, sliceS: 2, launches: 4 }],
    ['frameworks --warmup 0 --quick', { warmupS: 0 }],
    // A short -d makes the slices shorter, not the launches fewer.
    ['frameworks -d 1.8', { sliceS: expect.closeTo(0.3, 9), launches: 6 }],
    ['frameworks --contiguous -d 12', { contiguous: true, durationS: 12, sliceS: 12, launches: 1 }],
    ['frameworks --contiguous --launches 2', { launches: 2 }],
    [
      'frameworks --rate 500 -c 300 --slice 2',
      { rates, connections: 300, pipelining: 1, sliceS: 2 },
    ],
    ['frameworks --rate 500 -d 300 --contiguous', { durationS: 300, sliceS: 300, launches: 1 }],
    ['frameworks --rate 5 --driver k6', { driver: 'k6' }],
    ['frameworks --rate 500 --p99 50ms', { rates, p99Ns: 50e6 }],
    ['frameworks --until 2%', { until: { share: 0.02, maxTimeNs: 3600e9 }, launches: 6 }],
    ['frameworks --until 5% --max-time 90.5', { until: { share: 0.05, maxTimeNs: 90.5e9 } }],
    ['frameworks --equivalence 5%', { equivalence: 0.05 }],
    ['cluster -d 12', { sliceS: 12, launches: 5 }],
    ['cluster --pm2-tax --topology single,fork', { topologies: ['single', 'fork'] }],
    ['truth --seed 3', { seed: 3 }],
    ['methods --seed 3', { seed: 3 }],
  ])('comes through: %s is %j', (line, options) => {
    expect(optionsOf(line)).toMatchObject(options);
  });

  const runtime = [
    { kind: 'node', version: '22' },
    { kind: 'bun', version: null },
  ];
  const changes = [
    { target: null, dependency: 'a', version: '1' },
    { target: 'b', dependency: 'c', version: '2' },
  ];
  test.each<[string, object, string[]]>([
    ['frameworks -t b,a,b', { targets: ['b', 'a'] }, []],
    ['cluster -t all', { targets: ['all'] }, []],
    ['methods --quick --repeats 4 --seconds 20.5', { quick: true, repeats: 4, seconds: 20.5 }, []],
    ['cluster --runtime node@22,bun --with a@1 --with b:c@2', { runtime, with: changes }, []],
    ['verify --runtime node@22 --runtime bun --with a@1,b:c@2', { runtime, with: changes }, []],
    ['report a.json b.json --format html -o x', { format: 'html', out: 'x' }, ['a.json', 'b.json']],
    ['site pages --from runs', { from: 'runs' }, ['pages']],
    ['run ./a ./b --no-floor', { floor: false }, ['./a', './b']],
    ['run ./a', {}, ['./a']],
    ['truth -o truth.json --json', { out: 'truth.json', json: true }, []],
    ['where --details --plain --explain', { details: true, plain: true, explain: true }, []],
    ['open', {}, []],
  ])('is passed on: of %s %j, and the words %j', (line, given, words) => {
    expect(ask(wordsOf(line))).toMatchObject({ state: 'asked', asked: { words } });
    expect(ask(wordsOf(line))).toHaveProperty('asked.given', given);
  });

  test('may be where the targets are', () => {
    expect(asksFor('frameworks --packages elsewhere').packages).toBe('elsewhere');
    expect(asksFor('board').packages).toMatch(/workloads\/board$/);
  });

  test('as one --rate is measured for longer than each of several, in longer slices', () => {
    const [one, several] = [optionsOf('cluster --rate 70%'), optionsOf('cluster --rate 10%,70%')];
    expect(one.durationS).toBeGreaterThan(several.durationS);
    expect(one.sliceS).toBeGreaterThan(several.sliceS);
  });
});

const OWN = 'frameworks cluster board ladder image truth where price methods'.split(' ');
test.each([
  ...OWN.map((name) => [name, name] as const),
  ...['frameworks', 'cluster', 'ladder'].map((name) => [`${name} --rate 5`, 'rates'] as const),
  ['truth --where', 'truth-where'],
  ['cluster --pm2-tax', 'pm2-tax'],
  // It has a load at a rate without --rate.
  ['bidder --driver k6', 'bidder'],
] as const)('the kind of run of `%s` is %s', (line, kind) => {
  expect(kindOf(line)).toBe(kind);
});

describe('refused, with the reason,', () => {
  test.each([
    ['frameworks -c 0', 'Give a whole number from 1 to 100000.'],
    ['frameworks -d abc', 'Give a number of seconds from 0.1 to 86400.'],
    ['frameworks --driver wrk', 'Allowed choices are pacer, k6.'],
    ['frameworks -p 1001', 'from 1 to 1000.'],
    ['frameworks --slice 0.05', 'from 0.1 to'],
    ['frameworks --warmup -1', 'from 0 to'],
    ['frameworks --launches 0', 'from 1 to 1000.'],
    ['frameworks --seed 2147483648', 'from 0 to 2147483647.'],
    ['frameworks --max-time 0.5', 'from 1 to'],
    ['methods --repeats 0', 'from 1 to 1000.'],
    ['methods --seconds 7', 'from 8 to'],
    ['run --status 600', 'from 200 to 599.'],
  ])('is a value that can not be: `%s`', (line, expected) => {
    const [, flag = ''] = wordsOf(line);
    for (const text of [expected, flag, 'Add -h for the options']) {
      expect(refusal(line)).toContain(text);
    }
  });

  test.each([
    ['-d 2 --slice 0.5 --launches 5', /-d 2 .* 5 launches .* least 0\.5 s each; raise -d to 2\.5 /],
    ['-d 0.3 --launches 4', /-d 0\.3 .* 4 launches .* least 0\.1 s each; raise -d to 0\.4 /],
    // And not to 0.6000000000000001.
    ['-d 0.3 --launches 6', /raise -d to 0\.6 /],
  ])('is what is too short: %s', (line, expected) => {
    expect(refusal(`frameworks ${line}`)).toMatch(expected);
  });

  test.each([
    ['--slice cannot be used with --contiguous; use -d', 'frameworks --contiguous --slice 1'],
    ['--slice has no effect here: the service time sets', 'cluster --slice 1'],
    ['--contiguous has no effect here: the overload always is', 'cluster --contiguous'],
    ['--max-time needs --until', 'cluster --max-time 60'],
    ['-p cannot be used with --rate', 'frameworks --rate 500 -p 10'],
    ['--as-published cannot be used with --rate', 'frameworks --rate 500 --as-published'],
    ['--as-published cannot be used with --quick', 'frameworks --quick --as-published'],
    ['--driver needs --rate', 'frameworks --driver k6'],
    ['--p99 needs --rate', 'frameworks --p99 50'],
    ['--p99 needs --rate', 'bidder --p99 50ms'],
    ['--rate cannot be used with --pm2-tax', 'cluster --pm2-tax --rate 500'],
    ['--contiguous cannot be used with --pm2-tax', 'cluster --pm2-tax --contiguous'],
    ['-c cannot be used with --pm2-tax', 'cluster --pm2-tax -c 10'],
    ['-p cannot be used with --pm2-tax', 'cluster --pm2-tax -p 10'],
    ['--profile-dir needs --where', 'frameworks --profile-dir x'],
    ['--runtime can only be node here', 'where --runtime bun'],
    ['--runtime can only be node here', 'frameworks --where --runtime bun'],
    ['--pid needs --url', 'run ./a --pid 1'],
    ['--cpu-limit cannot be used with --url', 'run --url http://127.0.0.1:9 --cpu-limit 1'],
    ['--path has no effect here: only ab takes several', 'run ./a --path /x --path /y'],
    ['--generator-hosts needs --rate', 'run ./a --generator-hosts box'],
    ['--no-one-machine needs --server-host', 'frameworks --no-one-machine'],
    [
      '--body-file cannot be used with --server-host; use --body',
      'run ./a --server-host b --body-file x',
    ],
  ])('is an option that does nothing: %s', (what, line) => {
    expect(refusal(line)).toContain(`error: ${what}`);
  });

  test.each([
    ['frameworks --pm2-tax', "unknown option '--pm2-tax'"],
    ...['truth', 'price', 'methods', 'verify'].map((name) => {
      return [`${name} --rate 500`, "unknown option '--rate'"] as const;
    }),
    ...['-c', '-d', '--launches', '--until', '--topology', '-t'].map((flag) => {
      return [`truth ${flag} 1`, `unknown option '${flag}'`] as const;
    }),
    ['board --driver k6', "unknown option '--driver'"],
    ['ladder --as-published', "unknown option '--as-published'"],
    ['frameworks --sliec 1', 'Did you mean --slice?'],
    ['frameworks -d', "'-d, --duration <seconds>' argument missing"],
    ['frameworks express-app', 'too many arguments'],
    ['benchmark', "unknown command 'benchmark'"],
    ['report', "missing required argument 'files'"],
    ['workload', "missing required argument 'folder'"],
    ['report a --format pdf', 'Allowed choices are terminal'],
    ['', 'Usage: pnpm bench'],
  ] as const)('is what a command does not know: `%s`', (line, expected) => {
    expect(refusal(line)).toContain(expected);
  });
});

describe('help', () => {
  test.each([written('-h', 'out'), refusal('')])('lists every command', (help) => {
    for (const command of COMMANDS) expect(help).toMatch(new RegExp(`^  ${command} .*\\w{4}`, 'm'));
  });

  /** What the full text of an option with such a value says. */
  const SAID = { n: 'a whole number', seconds: 'seconds', percent: '2%', rates: 'a second' };

  test.each(COMMANDS)('of %s has every option in short and at length, with its unit', (command) => {
    const [short, long] = [toldBy(`${command} -h`), toldBy(`${command} --help`)];
    expect(written(`${command} -h`, 'out')).toContain(`Usage: pnpm bench ${command}`);
    expect([...long.keys()]).toEqual([...short.keys()]);
    for (const [flags, text] of long) {
      expect(short.get(flags)).toMatch(/\w{3}/);
      expect(text.length).toBeGreaterThanOrEqual(short.get(flags)?.length ?? 0);
      for (const [value, said] of Object.entries(SAID)) {
        if (flags.includes(`<${value}>`)) expect(text).toContain(said);
      }
    }
  });

  test.each(['frameworks', 'cluster', 'verify', 'truth', 'price', 'methods', 'site'])(
    'of %s names the default of every option that takes a value',
    (command) => {
      // Without --until the number of launches is fixed, without --rate loops are closed, and without
      // --with nothing is changed.
      const options = [...toldBy(`${command} -h`)].filter(([flags]) => {
        return flags.includes('<') && !/^--(until|rate|with) /.test(flags);
      });
      for (const [flags, text] of options) expect(`${flags}: ${text}`).toMatch(/default: \S/i);
    },
  );

  test.each(['frameworks', 'cluster'])('of %s shows the defaults that are used', (suite) => {
    const { connections, pipelining, durationS, launches, warmupS } = optionsOf(suite);
    const used = {
      ...{ '-c': connections, '-p': pipelining, '-d': durationS, '--launches': launches },
      ...{ '--warmup': warmupS, '--max-time': 3600, '--equivalence': '2%' },
    };
    const help = [...toldBy(`${suite} -h`)];
    for (const [flag, value] of Object.entries(used)) {
      const [, text] = help.find(([flags]) => flags.split(/[ ,]/)[0] === flag) ?? [];
      expect(text, flag).toContain(`(default: ${value})`);
    }
  });
});
