import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { runCommands } from '../../src/commands/index.ts';
import type { Kind } from '../../src/commands/kind.ts';
import { TIMEOUT_NS } from '../../src/plan/loads.ts';
import { parseArguments, type Request } from '../../src/request/options.ts';
import type { RunOptions } from '../../src/request/run-options.ts';

const DRAWN = 42;

/** What these arguments ask for, and all that was written meanwhile. */
function parse(argv: string[]) {
  const written = { out: '', error: '' };
  const request = () =>
    parseArguments(argv, {
      packages: '/packages',
      commands: runCommands([]),
      drivers: ['pacer', 'k6'],
      drawSeed: () => DRAWN,
      write: (text) => {
        written.out += text;
      },
      writeError: (text) => {
        written.error += text;
      },
    });
  return { request, written };
}

function requestOf(...argv: string[]): Request<Kind> {
  return parse(argv).request();
}

/** What these arguments ask of a run. */
function runRequestOf(...argv: string[]) {
  const request = requestOf(...argv);
  if (request.command !== 'run') throw new Error(`${request.command} is no run`);
  return request;
}

function runOf(...argv: string[]): RunOptions {
  return runRequestOf(...argv).options;
}

/** The name of the kind of run that these arguments ask for. */
function kindOf(...argv: string[]): string {
  return runRequestOf(...argv).kind.name;
}

/** The text and exit code with which these arguments end the program. */
function ended(argv: string[]): { out: string; error: string; exitCode: number } {
  const { request, written } = parse(argv);
  try {
    request();
  } catch (error) {
    if (error instanceof CommanderError) return { ...written, exitCode: error.exitCode };
    throw error;
  }
  throw new Error(`${argv.join(' ')} was accepted`);
}

/** The text with which these arguments are refused. */
function refusal(...argv: string[]): string {
  const { error, exitCode } = ended(argv);
  expect(exitCode).not.toBe(0);
  return error;
}

/** The options of a help text: flags to description. */
function helpOf(...argv: string[]): Map<string, string> {
  const { out, exitCode } = ended(argv);
  expect(exitCode).toBe(0);
  const options = (out.split('Options:\n')[1] ?? '').split('\n\n')[0] ?? '';
  const entries = options.split(/\n(?= {2}-)/).map((entry): [string, string] => {
    const [flags = '', ...description] = entry.trim().split(/\s{2,}/);
    return [flags, description.join(' ').replaceAll(/\s+/g, ' ')];
  });
  return new Map(entries);
}

const COMMANDS = ['frameworks', 'cluster', 'truth', 'price', 'methods', 'verify', 'report'];
const HELP = '-h, --help';

describe('defaults', () => {
  test('are the published load on all topologies for every suite', () => {
    const common = { topologies: ['single', 'max', 2], connections: 1000 };
    expect(runOf('frameworks')).toMatchObject({ ...common, pipelining: 1, contiguous: false });
    expect(runOf('cluster')).toMatchObject({ ...common, pipelining: 10, contiguous: false });
  });

  test.each(['frameworks', 'cluster'])('are all targets of the suite for %s', (suite) => {
    expect(requestOf(suite)).toMatchObject({ command: 'run', given: {}, packages: '/packages' });
    expect(kindOf(suite)).toBe(suite);
  });

  test.each(['frameworks', 'cluster'])('save, draw a seed and print tables for %s', (suite) => {
    const rest = { out: null, json: false, details: false, seed: DRAWN };
    expect(runOf(suite)).toMatchObject(rest);
  });

  test.each(['frameworks', 'cluster'])('fix the number of launches for %s', (suite) => {
    expect(runOf(suite)).toMatchObject({ until: null, equivalence: 0.02 });
  });

  test.each([
    ['cluster'],
    ['cluster', '--pm2-tax'],
    ['truth'],
    ['frameworks', '--rate', '500'],
    ['cluster', '--rate', '10%..95%'],
  ])('of --quick are shorter, same load, for %s %s %s', (...argv) => {
    const full = runOf(...argv);
    const quick = runOf(...argv, '--quick');
    const totalS = ({ durationS, launches, warmupS }: RunOptions) => durationS + launches * warmupS;
    expect(totalS(quick)).toBeLessThan(totalS(full));
    expect(quick.durationS).toBeLessThanOrEqual(full.durationS);
    expect(quick.warmupS).toBeLessThan(full.warmupS);
    expect(quick.launches).toBeGreaterThanOrEqual(2);
    expect(quick.launches).toBeLessThanOrEqual(full.launches);
    const { connections, pipelining, topologies, rates } = full;
    expect(quick).toMatchObject({ connections, pipelining, topologies, rates });
    expect(kindOf(...argv, '--quick')).toBe(kindOf(...argv));
  });

  test('of --quick are one question for frameworks: the cost of a single process', () => {
    const full = runOf('frameworks');
    const quick = runOf('frameworks', '--quick');
    const question = { topologies: ['single'], connections: 100, pipelining: 10 };
    expect(quick).toMatchObject(question);
    for (const amount of ['durationS', 'warmupS'] as const) {
      expect(quick[amount]).toBeLessThan(full[amount]);
    }
    expect(quick.launches).toBeGreaterThanOrEqual(2);
  });

  test('of --quick leave the overload as long as it is, and longer than its time-out', () => {
    const { durationS, sliceS } = runOf('cluster');
    expect(sliceS).toBe(durationS);
    expect(durationS * 1e9).toBeGreaterThanOrEqual(TIMEOUT_NS);
    expect(runOf('cluster', '--quick')).toMatchObject({ durationS, sliceS });
  });

  test.each([['frameworks'], ['cluster'], ['cluster', '--pm2-tax']])(
    'are closed loops for %s %s',
    (...argv) => {
      expect(runOf(...argv)).toMatchObject({ rates: null, driver: 'pacer' });
    },
  );

  test('of --quick yield to the options given beside it', () => {
    const given = ['-c', '7', '-p', '3', '-d', '8', '--slice', '2', '--launches', '4'];
    const options = runOf('frameworks', ...given, '--warmup', '0', '--quick');
    const expected = { connections: 7, pipelining: 3, durationS: 8, sliceS: 2, launches: 4 };
    expect(options).toMatchObject({ ...expected, warmupS: 0 });
  });
});

describe('given options', () => {
  test('come through', () => {
    const short = ['-t', 'b, a,b', '-c', '50', '-p', '2', '-d', '4.5', '-o', 'here.json'];
    const long = ['--topology', '4,single,max', '--seed', '0', '--packages', 'elsewhere'];
    expect(requestOf('frameworks', ...short, ...long, '--json', '--details')).toMatchObject({
      ...{ given: { targets: ['b', 'a'] }, packages: 'elsewhere' },
      options: {
        ...{ connections: 50, pipelining: 2, durationS: 4.5, out: 'here.json', seed: 0 },
        ...{ topologies: [4, 'single', 'max'], json: true, details: true },
      },
    });
  });

  test.each([
    ['2%', 0.02],
    ['0.5%', 0.005],
    ['12.25%', 0.1225],
    ['99%', 0.99],
  ])('--until and --equivalence %s are shares', (text, value) => {
    const { until, equivalence } = runOf('cluster', '--until', text, '--equivalence', text);
    expect(until?.share).toBeCloseTo(value, 12);
    expect(equivalence).toBeCloseTo(value, 12);
  });

  test('--until ends after an hour, or after --max-time', () => {
    expect(runOf('frameworks', '--until', '2%').until?.maxTimeNs).toBe(3600e9);
    const early = runOf('frameworks', '--max-time', '90.5', '--until', '2%');
    expect(early.until?.maxTimeNs).toBe(90.5e9);
  });

  test('--until leaves the least number of launches as it is', () => {
    expect(runOf('frameworks', '--until', '2%').launches).toBe(runOf('frameworks').launches);
    expect(runOf('frameworks', '--until', '2%', '--launches', '4').launches).toBe(4);
  });

  test('--contiguous is one launch of one unbroken slice unless told otherwise', () => {
    const once = { contiguous: true, durationS: 12, sliceS: 12, launches: 1 };
    expect(runOf('frameworks', '--contiguous', '-d', '12')).toMatchObject(once);
    expect(runOf('frameworks', '--contiguous', '--launches', '2')).toMatchObject({ launches: 2 });
  });

  test('-t all is passed on, for whoever knows the targets', () => {
    expect(requestOf('cluster', '-t', 'all')).toMatchObject({ given: { targets: ['all'] } });
  });

  test('--rate is an open loop without pipelining, with as many under way as -c says', () => {
    const options = runOf('cluster', '--rate', '500', '-c', '300');
    expect(kindOf('cluster', '--rate', '500')).toBe('rates');
    expect(options).toMatchObject({ rates: [{ kind: 'per second', perS: 500 }] });
    expect(options).toMatchObject({ connections: 300, pipelining: 1 });
  });

  test('one --rate is measured for longer than each of several, in longer slices', () => {
    const one = runOf('frameworks', '--rate', '70%');
    const several = runOf('frameworks', '--rate', '10%,70%');
    expect(one.durationS).toBeGreaterThan(several.durationS);
    expect(one.sliceS).toBeGreaterThan(several.sliceS);
    expect(several.rates).toHaveLength(2);
  });

  test('--rate may be unbroken, and in slices as long as asked for', () => {
    const unbroken = runOf('frameworks', '--rate', '500', '-d', '300', '--contiguous');
    expect(unbroken).toMatchObject({ contiguous: true, durationS: 300, sliceS: 300, launches: 1 });
    expect(runOf('cluster', '--rate', '500', '--slice', '2')).toMatchObject({ sliceS: 2 });
  });

  test('--driver says what sends at the rate', () => {
    expect(runOf('frameworks', '--rate', '5', '--driver', 'k6')).toMatchObject({ driver: 'k6' });
  });

  test('--pm2-tax compares every manager of one process with none', () => {
    const tax = requestOf('cluster', '--pm2-tax');
    expect(kindOf('cluster', '--pm2-tax')).toBe('pm2-tax');
    const topologies = ['single', 'fork', 1, 'pmx:1', 'cluster:1'];
    expect(tax).toMatchObject({ options: { topologies, connections: 100, pipelining: 10 } });
  });

  test('--pm2-tax yields to the targets and topologies given beside it', () => {
    const tax = requestOf('cluster', '--pm2-tax', '-t', 'a,b', '--topology', 'single,fork');
    const options = { topologies: ['single', 'fork'] };
    expect(tax).toMatchObject({ given: { targets: ['a', 'b'] }, options });
  });

  test('the cluster suite measures every launch unbroken for -d', () => {
    const { sliceS, launches } = runOf('cluster', '-d', '12');
    expect(sliceS).toBe(12);
    expect(launches).toBeGreaterThan(1);
  });

  test('a short -d makes the slices shorter, not the launches fewer', () => {
    expect(runOf('frameworks').launches).toBe(6);
    const short = runOf('frameworks', '-d', '1.8');
    expect(short.launches).toBe(6);
    expect(short.sliceS).toBeCloseTo(0.3);
    expect(runOf('frameworks', '-d', '0.9').sliceS).toBeCloseTo(0.15);
  });

  test('truth measures amounts of its own, as single processes under the cost load', () => {
    const { kind, options } = runRequestOf('truth', '--seed', '3', '-o', 'truth.json', '--json');
    expect(options).toEqual({
      ...{ ...kind.defaults({}), topologies: ['single'], connections: 100, pipelining: 10 },
      ...{
        cpuLimits: [],
        unpinned: false,
        rates: null,
        driver: 'pacer',
        contiguous: false,
        equivalence: 0.02,
        until: null,
      },
      profileDir: null,
      ...{ seed: 3, out: 'truth.json', json: true, plain: false, details: false, explain: false },
    });
    expect(kind.name).toBe('truth');
    expect(runOf('truth')).toMatchObject({ seed: DRAWN, out: null, json: false });
  });

  test.each(['price', 'methods'])('%s is a kind of run that measures the harness', (name) => {
    expect(kindOf(name, '--seed', '3')).toBe(name);
    expect(runOf(name, '--seed', '3', '-o', 'a.json')).toMatchObject({ seed: 3, out: 'a.json' });
  });

  test('runtimes and changes are taken by every command that starts targets', () => {
    const argv = ['--runtime', 'node@22,bun', '--with', 'a@1', '--with', 'b:c@2'];
    const runtimes = [
      { kind: 'node', version: '22' },
      { kind: 'bun', version: null },
    ];
    const changes = [
      { target: null, dependency: 'a', version: '1' },
      { target: 'b', dependency: 'c', version: '2' },
    ];
    for (const command of ['frameworks', 'cluster']) {
      expect(runRequestOf(command, ...argv).given).toEqual({ runtime: runtimes, with: changes });
    }
    expect(requestOf('verify', ...argv)).toMatchObject({ options: { runtimes, changes } });
  });

  test('methods are repeated, each for so many seconds', () => {
    const { given } = runRequestOf('methods', '--repeats', '4', '--seconds', '9');
    expect(given).toEqual({ repeats: 4, seconds: 9 });
  });

  test('verify and report have options of their own', () => {
    const verify = parse(['verify', '-t', 'a', '--topology', '2', '--packages', 'x']).request();
    const options = {
      ...{ targets: ['a'], topologies: [2], packages: 'x' },
      ...{ runtimes: [], changes: [] },
    };
    expect(verify).toEqual({ command: 'verify', options });
    const report = parse(['report', 'run.json', '--details']).request();
    const expected = {
      ...{ files: ['run.json'], format: 'terminal', out: null, details: true, explain: false },
    };
    expect(report).toEqual({ command: 'report', options: expected });
    const page = requestOf('report', 'a.json', 'b.json', '--format', 'html', '-o', 'x.html');
    expect(page).toEqual({
      command: 'report',
      options: {
        files: ['a.json', 'b.json'],
        format: 'html',
        out: 'x.html',
        details: false,
        explain: false,
      },
    });
    for (const format of ['json', 'plain']) {
      const asked = requestOf('report', 'a.json', `--${format}`);
      expect(asked).toMatchObject({ options: { format } });
    }
    const site = requestOf('site', 'pages', '--from', 'runs');
    expect(site).toEqual({ command: 'site', options: { folder: 'pages', from: 'runs' } });
    expect(requestOf('open')).toEqual({ command: 'open' });
  });
});

describe('refuses', () => {
  test.each([
    ['-c', '0', 'Give a whole number from 1 to 100000.'],
    ['-c', '1.5', 'Give a whole number from 1 to 100000.'],
    ['-c', '-3', 'Give a whole number from 1 to 100000.'],
    ['-c', '1e2', 'Give a whole number from 1 to 100000.'],
    ['-c', '100001', 'Give a whole number from 1 to 100000.'],
    ['-c', '', 'Give a whole number from 1 to 100000.'],
    ['-p', '1.5', 'Give a whole number from 1 to 1000.'],
    ['-p', 'ten', 'Give a whole number from 1 to 1000.'],
    ['-d', 'abc', 'Give a number of seconds from 0.1 to 86400.'],
    ['-d', '0', 'Give a number of seconds from 0.1 to 86400.'],
    ['-d', '30s', 'Give a number of seconds from 0.1 to 86400.'],
    ['-d', 'Infinity', 'Give a number of seconds from 0.1 to 86400.'],
    ['-d', ' ', 'Give a number of seconds from 0.1 to 86400.'],
    ['--slice', '0.05', 'Give a number of seconds from 0.1 to 86400.'],
    ['--warmup', '-1', 'Give a number of seconds from 0 to 86400.'],
    ['--launches', '0', 'Give a whole number from 1 to 1000.'],
    ['--seed', '-1', 'Give a whole number from 0 to 2147483647.'],
    ['--seed', '2147483648', 'Give a whole number from 0 to 2147483647.'],
    ['--topology', 'foo', '"foo" is no topology. Give "single", "fork", "max" or a number'],
    ['--topology', 'single,0', '"0" is no topology.'],
    ['--topology', '257', 'a number of processes from 1 to 256;'],
    ['--topology', 'single,', 'Give names separated by commas.'],
    ['-t', 'a,,b', 'Give names separated by commas.'],
    ...['2', '0%', '0.0%', '100%', '-1%', '2 %', '%', '2%%', '.5%', '1e1%', ''].flatMap((value) => [
      ['--until', value, 'Give a percentage such as 2%.'],
      ['--equivalence', value, 'Give a percentage such as 2%.'],
    ]),
    ['--max-time', '0.5', 'Give a number of seconds from 1 to 86400.'],
    ['--max-time', '2%', 'Give a number of seconds from 1 to 86400.'],
    ['--rate', '0', 'Give requests per second up to 1000000, or a share such as 70%.'],
    ['--rate', '95%..10%', 'Give a range such as 10%..95%, from less to more.'],
    ['--driver', 'wrk', 'Allowed choices are pacer, k6.'],
  ])('%s %j', (flag, value, expected) => {
    const error = refusal('frameworks', flag, value);
    expect(error).toContain(expected);
    expect(error).toContain(flag);
    expect(error).toContain('Add -h for the options');
  });

  test.each([
    ['--repeats', '0', 'Give a whole number from 1 to 1000.'],
    ['--seconds', '7', 'Give a number of seconds from 8 to 86400.'],
  ])('%s %j for methods', (flag, value, expected) => {
    expect(refusal('methods', flag, value)).toContain(expected);
  });

  test('a -d too short for the launches and the slice, and says what would do', () => {
    const slices = refusal('frameworks', '-d', '2', '--slice', '0.5', '--launches', '5');
    expect(slices).toMatch(
      /-d 2 is too short for 5 launches .* at least 0\.5 s each; raise -d to 2\.5 /,
    );
    const shortest = refusal('frameworks', '-d', '0.3', '--launches', '4');
    expect(shortest).toMatch(
      /-d 0\.3 is too short for 4 launches .* 0\.1 s each; raise -d to 0\.4 /,
    );
  });

  test('names round numbers only when a -d is too short', () => {
    expect(refusal('frameworks', '-d', '0.3', '--launches', '6')).toContain('raise -d to 0.6 ');
  });

  test.each([
    ['--slice beside --contiguous', ['frameworks', '--contiguous', '--slice', '1']],
    ['--slice here', ['cluster', '--slice', '1']],
    ['--contiguous here', ['cluster', '--contiguous']],
    ['-p beside --rate', ['frameworks', '--rate', '500', '-p', '10']],
    ['-p beside --rate', ['cluster', '--rate', '10%,20%', '-p', '1']],
    ['--driver without --rate', ['frameworks', '--driver', 'k6']],
    ['--driver without --rate', ['cluster', '--pm2-tax', '--driver', 'k6']],
    ['--rate beside --pm2-tax', ['cluster', '--pm2-tax', '--rate', '500']],
    ['--contiguous beside --pm2-tax', ['cluster', '--pm2-tax', '--contiguous']],
    ['-c beside --pm2-tax', ['cluster', '--pm2-tax', '-c', '10']],
    ['-p beside --pm2-tax', ['cluster', '--pm2-tax', '-p', '10']],
  ])('what can do nothing, with the reason: %s', (what, argv) => {
    const [flag, reason] = what.split(/ (.*)/);
    expect(refusal(...argv)).toContain(`error: ${flag} has no meaning ${reason}`);
  });

  test('--pm2-tax for frameworks, and the flags of a run for what is always the same', () => {
    expect(refusal('frameworks', '--pm2-tax')).toContain("unknown option '--pm2-tax'");
    for (const command of ['truth', 'price', 'methods', 'verify']) {
      expect(refusal(command, '--rate', '500')).toContain("unknown option '--rate'");
    }
  });

  test.each(['frameworks', 'cluster'])('--max-time without --until: %s', (suite) => {
    expect(refusal(suite, '--max-time', '60')).toMatch(/error: .*--max-time .*--until/);
  });

  test.each(['-c', '-d', '--launches', '--until', '--topology', '-t'])(
    '%s for truth, which is always the same',
    (flag) => {
      expect(refusal('truth', flag, '1')).toContain(`unknown option '${flag}'`);
    },
  );

  test('an unknown option, and proposes one', () => {
    expect(refusal('frameworks', '--sliec', '1')).toMatch(
      /unknown option '--sliec'\s+\(Did you mean --slice\?/,
    );
  });

  test('an option without its value', () => {
    expect(refusal('frameworks', '-d')).toContain("'-d, --duration <seconds>' argument missing");
  });

  test('an unknown command, a surplus argument, and a report of no file', () => {
    expect(refusal('benchmark')).toContain("unknown command 'benchmark'");
    expect(refusal('frameworks', 'express-app')).toContain('too many arguments');
    expect(refusal('report')).toContain("missing required argument 'files'");
    expect(refusal('report', 'a', '--format', 'pdf')).toContain('Allowed choices are terminal');
    expect(refusal('report', 'a', '--json', '--format', 'csv')).toContain('--json has no meaning');
  });

  test('no command at all, and lists the commands', () => {
    const error = refusal();
    for (const command of COMMANDS) expect(error).toMatch(new RegExp(`^  ${command} `, 'm'));
  });
});

describe('help', () => {
  test('lists every command', () => {
    const { out, exitCode } = ended(['-h']);
    expect(exitCode).toBe(0);
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} .*\\w{4}`, 'm'));
  });

  test.each(COMMANDS)('of %s has every option in short and at length', (command) => {
    const short = helpOf(command, '-h');
    const long = helpOf(command, '--help');
    expect([...long.keys()]).toEqual([...short.keys()]);
    expect(short.size).toBeGreaterThan(2);
    for (const [flags, text] of short) {
      expect(text).toMatch(/\w{3}/);
      if (flags !== HELP) expect(long.get(flags)?.length).toBeGreaterThan(text.length);
    }
  });

  test.each(COMMANDS)('of %s names the unit of every number', (command) => {
    const told = [...helpOf(command, '--help')];
    expect(told).not.toEqual([]);
    for (const [flags, text] of told) {
      if (flags.includes('<n>')) expect(text).toContain('a whole number');
      if (flags.includes('<seconds>')) expect(text).toMatch(/\bseconds\b/i);
      if (flags.includes('<percent>')) expect(text).toMatch(/\b2%/);
      if (flags.includes('<rates>')) expect(text).toMatch(/a second/);
    }
  });

  test.each([
    ['frameworks', '-h'],
    ['frameworks', '--help'],
    ['cluster', '-h'],
    ['cluster', '--help'],
    ['verify', '-h'],
    ['verify', '--help'],
    ['truth', '--help'],
    ['price', '--help'],
  ])('of %s %s names the default of every option that takes a value', (command, flag) => {
    // Without --until the number of launches is fixed, without --rate loops are closed, and without
    // --with nothing is changed.
    const options = [...helpOf(command, flag)].filter(([flags]) => {
      return flags.includes('<') && !/^--(until|rate|with) /.test(flags);
    });
    expect(options.length).toBeGreaterThan(1);
    for (const [flags, text] of options) expect(`${flags}: ${text}`).toMatch(/default: \S/i);
  });

  test.each(['frameworks', 'cluster'])('of %s shows the defaults that are used', (suite) => {
    const { connections, pipelining, durationS, launches, warmupS } = runOf(suite);
    const { until } = runOf(suite, '--until', '2%');
    const help = helpOf(suite, '-h');
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
