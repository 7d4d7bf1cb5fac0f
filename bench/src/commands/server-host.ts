import { basename, join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { FAILED } from '../base/exit-codes.ts';
import { saveJson } from '../base/json-file.ts';
import { BENCH, CODE_EXTENSION, IS_PACKAGE, ROOT, standing } from '../base/places.ts';
import { type Packed, pack } from '../launch/archive.ts';
import { startOnHost } from '../launch/server-host.ts';
import { type ClockReading, compareClocks } from '../load/clocks.ts';
import { GeneratorsHere } from '../load/generators-here.ts';
import { fromHarnessSchema, GENERATOR, lineOf, messagesOf, type ToHarness } from '../load/relay.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { clockText } from '../report/clock-text.ts';
import { oneMachineSection } from '../report/one-machine.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { rewritten } from '../request/command-words.ts';
import type { RunRequest } from '../request/run-command.ts';
import { compareMachines } from '../summary/one-machine.ts';
import { summarize } from '../summary/summary.ts';
import { SIGN_OF_LIFE_S } from '../system/ssh.ts';
import { ofWord } from '../targets/named.ts';
import { equipped, type Need, needsOf, requireNeeds } from '../targets/needs.ts';
import { areNamed, type LocalTarget } from '../targets/targets.ts';
import { type RunConsole, startConsole } from './carry-out.ts';
import type { Io } from './command.ts';
import { conclude } from './conclude.ts';
import { showHosts } from './generator-hosts.ts';
import { partsOf, recordPath } from './record-path.ts';

/** What of the harness is needed where the servers are. */
const OWN = IS_PACKAGE
  ? { from: ROOT, to: '.', only: ['package.json', basename(BENCH)] }
  : {
      from: BENCH,
      to: 'bench',
      only: ['package.json', 'src', 'answering', 'canned', 'floor', 'published', 'truth', 'twins'],
    };
const PROGRAM = `${basename(BENCH)}/src/there${CODE_EXTENSION}`;
/** The file of the record there, which is sent here. */
const RECORD = 'record.json';
const OWN_SENDER = 'overhead' as const;
/** Options of this machine. */
const OF_HERE = new Set([
  'server-host',
  'no-one-machine',
  'out',
  'packages',
  'json',
  'plain',
  'details',
  'explain',
]);
/** Where the servers are there: folders that are named, or where the user stands. */
const FOLDER = 'servers';

/**
 * Measures on another machine, first with the load from this one, then with the load from that machine too: copies the
 * harness and the servers there, runs the command there, and saves and prints its records here, with what it
 * costs to share a machine. Returns the exit code.
 */
export async function measureOnHost(
  host: string,
  argv: readonly string[],
  request: RunRequest,
  targets: readonly LocalTarget[],
  io: Io,
): Promise<number> {
  using runConsole = startConsole(io);
  const moved = targets.length > 0 ? moveTargets(targets) : moveNamed(request);
  await requireHost(host, request, moved.targets, io);
  const { operand, options } = moved;
  const { seed } = request.options;
  const added = [...options, '--out', RECORD];
  const job: Job = {
    ...{ host, request },
    archive: pack([OWN, ...moved.folders]),
    args: rewritten(argv, { without: OF_HERE, operand, seed, added }),
  };
  const two = await measureThere(job, 'here', runConsole);
  const goesOn = two.isOver && (two.exitCode === 0 || two.exitCode === FAILED);
  if (two.record === null || !goesOn || request.given.oneMachine === false) return two.exitCode;
  const one = await measureThere(job, 'there', runConsole);
  if (one.record === null) return one.exitCode;
  const rows = compareMachines(summarize(two.record), summarize(one.record));
  io.stdout.write(`${renderSections([oneMachineSection(rows)], lookOf(io.stdout))}\n`);
  return two.exitCode || one.exitCode;
}

/**
 * Shows what both machines have, and which targets the other one lacks something for.
 * @throws UserError where one can't do what it is for, or lacks what a target needs that the user has named.
 */
async function requireHost(
  host: string,
  { options: { connections }, given, words }: RunRequest,
  targets: readonly LocalTarget[],
  { backend, stderr }: Io,
): Promise<void> {
  const needs = targets.flatMap(needsOf);
  const states = await backend.inspectHosts(
    [host],
    needs.map(({ any }) => any),
  );
  const hosts = states.map((state) => {
    return { state, role: { sender: state.name === null ? OWN_SENDER : null, connections } };
  });
  showHosts(hosts, { stderr });
  const lacking = states.flatMap(({ name, lacking }) => (name === null ? [] : lacking));
  const isThere = ({ told }: Need) => !lacking.some((at) => needs[at]?.told === told);
  if (words.length > 0 || areNamed(given.targets ?? null)) requireNeeds(targets, host, isThere);
  for (const reason of equipped(targets, isThere).leftOut) {
    stderr.write(`Not on ${host}: ${reason}\n`);
  }
}

/** What is to be measured on the other machine. */
interface Job {
  host: string;
  request: RunRequest;
  archive: Buffer;
  args: string[];
}

/** Carries a job out, with the generator on this machine or on that; saves and prints the record that comes. */
async function measureThere(
  { host, request, archive, args }: Job,
  generator: 'here' | 'there',
  runConsole: RunConsole,
): Promise<{ record: RunRecord | null; exitCode: number; isOver: boolean }> {
  const { interrupts, say, backend } = runConsole;
  const startedAt = backend.clock.date();
  const where = generator === 'here' ? 'the load from this one' : 'the load from there too';
  say(`Measuring on ${host}, ${where}.`);
  const environment = { INIT_CWD: FOLDER, [GENERATOR]: generator, ...valuesOf(request) };
  await using there = startOnHost(host, { archive, program: PROGRAM, args, environment });
  const send = (message: ToHarness) => there.send(lineOf(message));
  await using generators = new GeneratorsHere(send);
  using _living = everySignOfLife(() => send({ kind: 'alive', ms: preciseMs() }));
  interrupts.soon.addEventListener('abort', () => send({ kind: 'signal', name: 'SIGINT' }));
  interrupts.now.addEventListener('abort', () => send({ kind: 'signal', name: 'SIGTERM' }));

  const clocks: ClockReading[] = [];
  let received: { record: RunRecord; path: string } | null = null;
  let exitCode: number | null = null;
  for await (const message of messagesOf(there.output, fromHarnessSchema)) {
    switch (message.kind) {
      case 'over':
        exitCode = message.exitCode;
        break;
      case 'clock':
        clocks.push({ fromMs: message.of, toMs: preciseMs(), thereMs: message.ms });
        break;
      case 'record': {
        const record = { ...recordSchema.parse(message.record), command: request.again };
        received = { record, path: pathOf(request, startedAt, record.suite, generator) };
        await saveJson(received.path, record);
        break;
      }
      default:
        await generators.take(message);
    }
  }
  const trouble = await there.ended;
  const difference = compareClocks(clocks);
  if (difference !== null) say(clockText(host, difference));
  if (received === null) {
    if (exitCode !== null) return { record: null, exitCode, isOver: true };
    throw new UserError(trouble ?? `${host} ended without a record`, 'See what it said above.');
  }
  if (exitCode === null) say(`${trouble ?? `it ended on ${host}`}: this was measured until then.`);
  const { record, path } = received;
  const isWhole = exitCode !== null && record.state === 'complete';
  const measured = record.slices.length === 0 ? 'nothing' : isWhole ? 'all' : 'a part';
  const save = (to: string) => saveJson(to, record);
  const code = await conclude(path, record, save, measured, request.options, runConsole);
  if (exitCode === null) return { record, exitCode: Math.max(code, FAILED), isOver: false };
  return { record, exitCode: code, isOver: true };
}

/** The file that was asked for; that of one machine is beside it. */
function pathOf(
  { options: { out } }: RunRequest,
  startedAt: Date,
  suite: string,
  generator: 'here' | 'there',
): string {
  const path = recordPath(out, startedAt, suite);
  const { folder, name, ending } = partsOf(path);
  return generator === 'here' ? path : join(folder, `${name}-one-machine${ending}`);
}

/** The time of day with more than whole ms. */
function preciseMs(): number {
  return performance.timeOrigin + performance.now();
}

function everySignOfLife(tell: () => void): Disposable {
  const living = setInterval(tell, SIGN_OF_LIFE_S * 1000);
  return { [Symbol.dispose]: () => clearInterval(living) };
}

/** What goes along, and how the command names it there. */
interface Moved {
  targets: readonly LocalTarget[];
  folders: Packed[];
  options: string[];
  operand: (word: string) => string;
}

/** Targets that a suite chooses: each in a folder of its name. */
function moveTargets(targets: readonly LocalTarget[]): Moved {
  const folders = new Set(targets.map(({ directory }) => directory));
  return {
    targets,
    folders: [...folders].map((from) => ({ from, to: `${FOLDER}/${basename(from)}` })),
    options: ['--packages', '.'],
    operand: (word) => word,
  };
}

/** Servers that the command line names: folders under their names, and where the user stands for commands. */
function moveNamed({ words, rest, packages }: RunRequest): Moved {
  const place = standing();
  const named = words.map((word) => {
    const { target } = ofWord(word, place, packages);
    return { word, target, from: target.directory };
  });
  const folders = named.filter(({ from }) => from !== place);
  const isAtPlace = rest !== null || folders.length < named.length;
  return {
    targets: named.map(({ target }) => target),
    folders: [
      ...(isAtPlace ? [{ from: place, to: FOLDER }] : []),
      ...folders.map(({ from }) => ({ from, to: `${FOLDER}/${basename(from)}` })),
    ],
    options: [],
    operand: (word) => {
      const folder = folders.find((each) => each.word === word);
      return folder ? `./${basename(folder.from)}` : word;
    },
  };
}

/** Variables that servers get as they are here. */
function valuesOf({ given }: RunRequest): Record<string, string> {
  const names = (given.env ?? []).flatMap(({ name, value }) => (value === null ? name : []));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
