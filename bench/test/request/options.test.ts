import { describe, expect, test } from 'vitest';
import { commandsFor } from '../../src/commands/index.ts';
import { TIMEOUT_NS } from '../../src/plan/loads.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ask, DRAWN, runAsked } from '../support/ask.ts';

const optionsOf = (...argv: string[]): RunOptions => runAsked(...argv).options;
const kindOf = (...argv: string[]): string => runAsked(...argv).kind.name;

/** What these arguments ask of a command that measures nothing. */
function asked(...argv: string[]) {
  const answer = ask(argv);
  if (answer.state === 'ended') throw new Error(answer.error);
  return answer.asked;
}

/** The text with which these arguments are refused. */
function refusal(...argv: string[]): string {
  const answer = ask(argv);
  if (answer.state === 'asked') throw new Error(`${argv.join(' ')} was accepted`);
  expect(answer.exitCode).not.toBe(0);
  return answer.error;
}

/** A help text. */
function helpOf(...argv: string[]): string {
  const answer = ask(argv);
  if (answer.state === 'asked') throw new Error(`${argv.join(' ')} is no help`);
  expect(answer.exitCode).toBe(0);
  return answer.out;
}

/** The options of a help text: flags to description. */
function toldBy(...argv: string[]): Map<string, string> {
  const options = (helpOf(...argv).split('Options:\n')[1] ?? '').split('\n\n')[0] ?? '';
  const entries = options.split(/\n(?= {2}-)/).map((entry): [string, string] => {
    const [flags = '', ...description] = entry.trim().split(/\s{2,}/);
    return [flags, description.join(' ').replaceAll(/\s+/g, ' ')];
  });
  return new Map(entries);
}

const COMMANDS = commandsFor([]).map(({ name }) => name);
const EVERYWHERE: Partial<RunOptions> = { topologies: ['single', 'max', 2], connections: 1000 };
const COST: Partial<RunOptions> = { topologies: ['single'], connections: 100, pipelining: 10 };
const TAX: RunOptions['topologies'] = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];

describe('what is not given', () => {
  test.each<[string[], Partial<RunOptions>]>([
    [['frameworks'], { ...EVERYWHERE, pipelining: 1, launches: 6 }],
    [['cluster'], { ...EVERYWHERE, pipelining: 10 }],
    [['cluster', '--pm2-tax'], { ...COST, topologies: TAX }],
    [['frameworks', '--quick'], COST],
    [['truth'], COST],
  ])('%j is %j', (argv, options) => {
    expect(optionsOf(...argv)).toMatchObject({
      ...{ contiguous: false, rates: null, driver: 'pacer', until: null, equivalence: 0.02 },
      ...{ seed: DRAWN, out: null, profileDir: null, cpuLimits: [], unpinned: false },
      ...{ json: false, plain: false, details: false, explain: false, ...options },
    });
  });

  test.each([
    ['frameworks'],
    ['cluster'],
    ['cluster', '--pm2-tax'],
    ['truth'],
    ['price'],
    ['frameworks', '--rate', '500'],
    ['cluster', '--rate', '10%..95%'],
  ])('is shorter with --quick: %s %s %s', (...argv) => {
    const [full, quick] = [optionsOf(...argv), optionsOf(...argv, '--quick')];
    const totalS = ({ durationS, launches, warmupS }: RunOptions) => durationS + launches * warmupS;
    expect(totalS(quick)).toBeLessThan(totalS(full));
    expect(quick.durationS).toBeLessThanOrEqual(full.durationS);
    expect(quick.warmupS).toBeLessThan(full.warmupS);
    expect(quick.launches).toBeGreaterThanOrEqual(2);
    expect(kindOf(...argv, '--quick')).toBe(kindOf(...argv));
    // But for the frameworks, of which it asks one question, the load is the same.
    const { connections, pipelining, topologies, rates } = full;
    if (argv.length === 1 && argv[0] === 'frameworks') expect(quick).toMatchObject(COST);
    else expect(quick).toMatchObject({ connections, pipelining, topologies, rates });
  });

  test('is an overload of the cluster that is unbroken, and longer than its time-out', () => {
    const { durationS, sliceS } = optionsOf('cluster');
    expect(sliceS).toBe(durationS);
    expect(durationS * 1e9).toBeGreaterThanOrEqual(TIMEOUT_NS);
    expect(optionsOf('cluster', '--quick')).toMatchObject({ durationS, sliceS });
  });
});

describe('what is given', () => {
  const perS = (amount: number) => [{ kind: 'per second', perS: amount }];
  test.each<[string[], object]>([
    [
      ['frameworks', '-c', '50', '-p', '2', '-d', '4.5', '-o', 'here.json', '--seed', '0'],
      { connections: 50, pipelining: 2, durationS: 4.5, out: 'here.json', seed: 0 },
    ],
    [
      ['frameworks', '--topology', '4,single,max', '--json', '--details', '--explain', '--plain'],
      { topologies: [4, 'single', 'max'], json: true, details: true, explain: true, plain: true },
    ],
    [
      ['frameworks', '-c', '7', '--slice', '2', '-d', '8', '--launches', '4', '--quick'],
      { connections: 7, durationS: 8, sliceS: 2, launches: 4 },
    ],
    [['frameworks', '--warmup', '0', '--quick'], { warmupS: 0 }],
    [
      ['frameworks', '--contiguous', '-d', '12'],
      { contiguous: true, durationS: 12, sliceS: 12, launches: 1 },
    ],
    [['frameworks', '--contiguous', '--launches', '2'], { launches: 2 }],
    [['cluster', '-d', '12'], { sliceS: 12, launches: 5 }],
    [
      ['cluster', '--rate', '500', '-c', '300', '--slice', '2'],
      { rates: perS(500), connections: 300, pipelining: 1, sliceS: 2 },
    ],
    [
      ['frameworks', '--rate', '500', '-d', '300', '--contiguous'],
      { contiguous: true, durationS: 300, sliceS: 300, launches: 1 },
    ],
    [['frameworks', '--rate', '5', '--driver', 'k6'], { driver: 'k6' }],
    [['cluster', '--pm2-tax', '--topology', 'single,fork'], { topologies: ['single', 'fork'] }],
    [['frameworks', '--until', '2%'], { until: { share: 0.02, maxTimeNs: 3600e9 }, launches: 6 }],
    [['truth', '--seed', '3', '-o', 'truth.json', '--json'], { seed: 3, out: 'truth.json' }],
    [['methods', '--seed', '3', '-o', 'a.json'], { seed: 3, out: 'a.json' }],
    [
      ['cluster', '--until', '5%', '--max-time', '90.5', '--equivalence', '5%', '--launches', '4'],
      {
        ...{ until: { share: 0.05, maxTimeNs: 90.5e9 }, equivalence: 0.05, launches: 4 },
      },
    ],
  ])('comes through: %j is %j', (argv, options) => {
    expect(optionsOf(...argv)).toMatchObject(options);
  });

  test('is passed on to whoever knows the targets, and where they are', () => {
    const elsewhere = runAsked('frameworks', '-t', 'b, a,b', '--packages', 'elsewhere');
    expect(elsewhere).toMatchObject({ given: { targets: ['b', 'a'] }, packages: 'elsewhere' });
    expect(runAsked('cluster', '-t', 'all').given).toEqual({ targets: ['all'] });
    expect(runAsked('board').packages).toMatch(/workloads\/board$/);
    expect(runAsked('methods', '--quick', '--repeats', '4', '--seconds', '20.5').given).toEqual({
      ...{ quick: true, repeats: 4, seconds: 20.5 },
    });
  });

  test('as a short -d makes the slices shorter, not the launches fewer', () => {
    expect(optionsOf('frameworks', '-d', '1.8')).toMatchObject({ launches: 6 });
    expect(optionsOf('frameworks', '-d', '1.8').sliceS).toBeCloseTo(0.3);
  });

  test('as one --rate is measured for longer than each of several, in longer slices', () => {
    const one = optionsOf('frameworks', '--rate', '70%');
    const several = optionsOf('frameworks', '--rate', '10%,70%');
    expect(one.durationS).toBeGreaterThan(several.durationS);
    expect(one.sliceS).toBeGreaterThan(several.sliceS);
  });

  test('may be runtimes and changes of dependencies, wherever targets are started', () => {
    const argv = ['--runtime', 'node@22,bun', '--with', 'a@1', '--with', 'b:c@2'];
    const given = {
      runtime: [
        { kind: 'node', version: '22' },
        { kind: 'bun', version: null },
      ],
      with: [
        { target: null, dependency: 'a', version: '1' },
        { target: 'b', dependency: 'c', version: '2' },
      ],
    };
    for (const command of ['frameworks', 'cluster', 'verify']) {
      expect(asked(command, ...argv).given).toEqual(given);
    }
  });

  test.each<[string[], object]>([
    [
      ['report', 'a.json', 'b.json', '--format', 'html', '-o', 'x.html', '--details'],
      {
        ...{ words: ['a.json', 'b.json'], given: { format: 'html', out: 'x.html', details: true } },
      },
    ],
    [['site', 'pages', '--from', 'runs'], { words: ['pages'], given: { from: 'runs' } }],
    [['open'], { words: [], given: {} }],
  ])('of %j are the words and options', (argv, words) => {
    expect(asked(...argv)).toMatchObject({ ...words, run: null });
  });
});

describe('the kind of run', () => {
  test.each([
    ...[
      'frameworks',
      'cluster',
      'board',
      'ladder',
      'image',
      'truth',
      'where',
      'price',
      'methods',
    ].map((name) => [name, [name]] as const),
    ['rates', ['frameworks', '--rate', '5']],
    ['rates', ['cluster', '--rate', '5']],
    ['rates', ['ladder', '--rate', '5']],
    ['truth-where', ['truth', '--where']],
    ['pm2-tax', ['cluster', '--pm2-tax']],
  ] as const)('is %s of %j', (kind, argv) => {
    expect(kindOf(...argv)).toBe(kind);
  });
});

describe('refused, with the reason,', () => {
  test.each([
    ['-c', '0', 'Give a whole number from 1 to 100000.'],
    ['-d', 'abc', 'Give a number of seconds from 0.1 to 86400.'],
    ['--topology', 'single,0', '"0" is no topology.'],
    ['--until', '0%', 'Give a percentage such as 2%.'],
    ['--rate', '0', 'Give requests per second up to 1000000, or a share such as 70%.'],
    ['--driver', 'wrk', 'Allowed choices are pacer, k6.'],
  ])('is a value that can not be: %s %j', (flag, value, expected) => {
    const error = refusal('frameworks', flag, value);
    expect(error).toContain(expected);
    expect(error).toContain(flag);
    expect(error).toContain('Add -h for the options');
  });

  test.each([
    ['-p', 'frameworks', '1001', 'from 1 to 1000.'],
    ['--slice', 'frameworks', '0.05', 'from 0.1 to'],
    ['--warmup', 'frameworks', '-1', 'from 0 to'],
    ['--launches', 'frameworks', '0', 'from 1 to 1000.'],
    ['--seed', 'frameworks', '2147483648', 'from 0 to 2147483647.'],
    ['--max-time', 'frameworks', '0.5', 'from 1 to'],
    ['--repeats', 'methods', '0', 'from 1 to 1000.'],
    ['--seconds', 'methods', '7', 'from 8 to'],
    ['--status', 'run', '600', 'from 200 to 599.'],
  ])('is %s beyond its limits', (flag, command, value, expected) => {
    expect(refusal(command, flag, value)).toContain(expected);
  });

  test.each([
    [
      ['-d', '2', '--slice', '0.5', '--launches', '5'],
      /-d 2 .* 5 launches .* at least 0\.5 s each; raise -d to 2\.5 /,
    ],
    [['-d', '0.3', '--launches', '4'], /-d 0\.3 .* 4 launches .* 0\.1 s each; raise -d to 0\.4 /],
    // And not to 0.6000000000000001.
    [['-d', '0.3', '--launches', '6'], /raise -d to 0\.6 /],
  ])('is what is too short: %j', (argv, expected) => {
    expect(refusal('frameworks', ...argv)).toMatch(expected);
  });

  test.each([
    ['--slice beside --contiguous', ['frameworks', '--contiguous', '--slice', '1']],
    ['--slice here', ['cluster', '--slice', '1']],
    ['--contiguous here', ['cluster', '--contiguous']],
    ['--max-time without --until', ['cluster', '--max-time', '60']],
    ['-p beside --rate', ['frameworks', '--rate', '500', '-p', '10']],
    ['-p beside --rate', ['cluster', '--rate', '10%,20%', '-p', '1']],
    ['--driver without --rate', ['frameworks', '--driver', 'k6']],
    ['--driver without --rate', ['cluster', '--pm2-tax', '--driver', 'k6']],
    ['--rate beside --pm2-tax', ['cluster', '--pm2-tax', '--rate', '500']],
    ['--contiguous beside --pm2-tax', ['cluster', '--pm2-tax', '--contiguous']],
    ['-c beside --pm2-tax', ['cluster', '--pm2-tax', '-c', '10']],
    ['-p beside --pm2-tax', ['cluster', '--pm2-tax', '-p', '10']],
    ['--profile-dir without --where', ['frameworks', '--profile-dir', 'x']],
    ['--runtime here but for node', ['where', '--runtime', 'bun']],
    ['--runtime here but for node', ['frameworks', '--where', '--runtime', 'bun']],
    ['--pid without --url', ['run', 'node a.js', '--pid', '1']],
    ['--cpu-limit beside --url', ['run', '--url', 'http://127.0.0.1:9', '--cpu-limit', '1']],
  ])('is what can do nothing: %s', (what, argv) => {
    const [flag, reason] = what.split(/ (.*)/);
    expect(refusal(...argv)).toContain(`error: ${flag} has no meaning ${reason}`);
  });

  test.each([
    [['frameworks', '--pm2-tax'], "unknown option '--pm2-tax'"],
    ...['truth', 'price', 'methods', 'verify'].map((name) => {
      return [[name, '--rate', '500'], "unknown option '--rate'"] as const;
    }),
    ...['-c', '-d', '--launches', '--until', '--topology', '-t'].map((flag) => {
      return [['truth', flag, '1'], `unknown option '${flag}'`] as const;
    }),
    [['board', '--driver', 'k6'], "unknown option '--driver'"],
    [['frameworks', '--sliec', '1'], 'Did you mean --slice?'],
    [['frameworks', '-d'], "'-d, --duration <seconds>' argument missing"],
    [['frameworks', 'express-app'], 'too many arguments'],
    [['benchmark'], "unknown command 'benchmark'"],
    [['report'], "missing required argument 'files'"],
    [['workload'], "missing required argument 'folder'"],
    [['report', 'a', '--format', 'pdf'], 'Allowed choices are terminal'],
    [[], 'Usage: pnpm bench'],
  ] as const)('is what a command does not know: %j', (argv, expected) => {
    expect(refusal(...argv)).toContain(expected);
  });
});

describe('help', () => {
  test('lists every command', () => {
    for (const help of [helpOf('-h'), refusal()]) {
      for (const command of COMMANDS)
        expect(help).toMatch(new RegExp(`^  ${command} .*\\w{4}`, 'm'));
    }
  });

  test.each(COMMANDS)('of %s has every option in short and at length, with its unit', (command) => {
    const [short, long] = [toldBy(command, '-h'), toldBy(command, '--help')];
    expect(helpOf(command, '-h')).toContain(`Usage: pnpm bench ${command}`);
    expect([...long.keys()]).toEqual([...short.keys()]);
    for (const [flags, text] of long) {
      expect(short.get(flags)).toMatch(/\w{3}/);
      if (flags.includes('<n>')) expect(text).toContain('a whole number');
      if (flags.includes('<seconds>')) expect(text).toMatch(/\bseconds\b/i);
      if (flags.includes('<percent>')) expect(text).toMatch(/\b2%/);
      if (flags.includes('<rates>')) expect(text).toMatch(/a second/);
    }
    const [lengthOfShort, lengthOfLong] = [short, long].map(
      (told) => [...told.values()].join().length,
    );
    if (short.size > 2) expect(lengthOfLong).toBeGreaterThan(lengthOfShort ?? 0);
  });

  test.each(['frameworks', 'cluster', 'verify', 'truth', 'price', 'methods', 'site'])(
    'of %s names the default of every option that takes a value',
    (command) => {
      // Without --until the number of launches is fixed, without --rate loops are closed, and without
      // --with nothing is changed.
      const options = [...toldBy(command, '-h')].filter(([flags]) => {
        return flags.includes('<') && !/^--(until|rate|with) /.test(flags);
      });
      for (const [flags, text] of options) expect(`${flags}: ${text}`).toMatch(/default: \S/i);
    },
  );

  test.each(['frameworks', 'cluster'])('of %s shows the defaults that are used', (suite) => {
    const { connections, pipelining, durationS, launches, warmupS } = optionsOf(suite);
    const { until } = optionsOf(suite, '--until', '2%');
    const help = toldBy(suite, '-h');
    const shown = (flags: string) => /\(default: (.*)\)/.exec(help.get(flags) ?? '')?.[1];
    expect(shown('-c, --connections <n>')).toBe(String(connections));
    expect(shown('-p, --pipelining <n>')).toBe(String(pipelining));
    expect(shown('-d, --duration <seconds>')).toBe(String(durationS));
    expect(shown('--launches <n>')).toBe(String(launches));
    expect(shown('--warmup <seconds>')).toBe(String(warmupS));
    expect(shown('--max-time <seconds>')).toBe(String((until?.maxTimeNs ?? 0) / 1e9));
    expect(shown('--equivalence <percent>')).toBe('2%');
  });
});
