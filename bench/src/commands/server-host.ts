import { basename, join } from 'node:path';
import { FAILED, UserError } from '../base/errors.ts';
import { saveJson } from '../base/files.ts';
import { BENCH, CODE_EXTENSION, IS_PACKAGE, initialCwd, ROOT } from '../base/places.ts';
import { type PackedFolder, pack, type RemoteProgram, startOnHost } from '../launch/server-host.ts';
import { type ClockReading, compareClocks } from '../load/clock-offset.ts';
import {
  fromHarnessSchema,
  GENERATOR,
  lineOf,
  localGenerators,
  messagesOf,
  type ToHarness,
} from '../load/relay.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { clockText, oneMachineSection } from '../report/machines-report.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/text.ts';
import { rewritten } from '../request/command-line.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { compareMachines } from '../summary/network.ts';
import { summarize } from '../summary/summary.ts';
import { SIGN_OF_LIFE_S } from '../system/ssh.ts';
import { serverOfWord } from '../targets/named.ts';
import { type Need, needsOf, requireNeeds, runnable } from '../targets/needs.ts';
import { areNamed, type LocalTarget } from '../targets/targets.ts';
import { CommandExit, type Invocation } from './command.ts';
import { showHosts } from './generator-hosts.ts';
import { beside, recordPath, saveAndPrint } from './save.ts';

/** The parts of the harness that the server host needs. */
const FOLDERS = ['src', 'answering', 'canned', 'floor', 'published', 'truth', 'twins'];
const OWN = IS_PACKAGE
  ? { from: ROOT, to: '.', only: ['package.json', basename(BENCH)] }
  : { from: BENCH, to: 'bench', only: ['package.json', ...FOLDERS] };
/** The file of the record there; its content is sent here. */
const RECORD = 'record.json';
/** Options that only concern this machine. */
const OF_HERE = new Set([
  ...['server-host', 'no-one-machine', 'out', 'packages', 'json', 'plain', 'details', 'explain'],
]);
/** The folder of the servers there: those that are named, or the one in which the user stands. */
const FOLDER = 'servers';

/**
 * Measures on another machine: copies the harness and the servers there, runs the command with the load from this
 * machine and then from that one, and saves and prints both records here. Returns the exit code.
 * @throws CommandExit if there is no record; UserError if that machine can't be used.
 */
export async function measureOnHost(host: string, chosen: LocalTarget[], command: Invocation) {
  const { argv, options, given, stdout } = command;
  const { targets, folders, added, operand } = packed(command, chosen);
  await requireHost(host, targets, command);
  const changes = { without: OF_HERE, operand, seed: options.seed, added };
  const program: RemoteProgram = {
    archive: pack([OWN, ...folders]),
    program: `${basename(BENCH)}/src/remote${CODE_EXTENSION}`,
    args: rewritten(argv, changes),
    environment: { INIT_CWD: FOLDER, ...valuesOf(given) },
  };
  const two = await measureThere(host, program, 'here', command);
  const goesOn = two.isOver && (two.exitCode === 0 || two.exitCode === FAILED);
  if (!goesOn || given.oneMachine === false) return two.exitCode;
  const one = await measureThere(host, program, 'there', command);
  const rows = compareMachines(summarize(two.record), summarize(one.record));
  stdout.write(`${renderSections([oneMachineSection(rows)], lookOf(stdout))}\n`);
  return two.exitCode || one.exitCode;
}

/** Shows what both machines have. @throws UserError if one can't fill its role, or lacks what a named target needs. */
async function requireHost(
  host: string,
  targets: readonly LocalTarget[],
  { options: { connections }, given, words, backend, stderr, say }: Invocation,
): Promise<void> {
  const needs = targets.flatMap(needsOf);
  const states = await backend.inspectHosts([host], needs);
  showHosts(states, { sender: 'overhead', connections }, { sender: null, connections }, stderr);
  const lacking = states.flatMap((state) => state.lacking);
  const isThere = ({ label }: Need) => !lacking.some((at) => needs[at]?.label === label);
  if (words.length > 0 || areNamed(given.targets ?? null)) requireNeeds(targets, host, isThere);
  for (const reason of runnable(targets, isThere).leftOut) say(`Not on ${host}: ${reason}`);
}

/** Runs a program on a host; saves and prints the record that arrives, even if cut off. @throws CommandExit if none. */
async function measureThere(
  host: string,
  { environment, ...program }: RemoteProgram,
  generator: 'here' | 'there',
  command: Invocation,
): Promise<{ record: RunRecord; exitCode: number; isOver: boolean }> {
  const { given, again, interrupts, say, backend } = command;
  const startedAt = backend.clock.date();
  const sender = generator === 'here' ? 'this machine' : 'the same machine';
  say(`Measuring on ${host}, with the load from ${sender}.`);
  const own = { ...environment, [GENERATOR]: generator };
  await using there = startOnHost(host, { ...program, environment: own });
  const send = (message: ToHarness) => there.send(lineOf(message));
  await using generators = localGenerators(send);
  const tellAlive = () => send({ kind: 'alive', ms: preciseMs() });
  using _signsOfLife = setInterval(tellAlive, SIGN_OF_LIFE_S * 1000);
  interrupts.soon.addEventListener('abort', () => send({ kind: 'signal', name: 'SIGINT' }));
  interrupts.now.addEventListener('abort', () => send({ kind: 'signal', name: 'SIGTERM' }));

  const clocks: ClockReading[] = [];
  let received: { record: RunRecord; path: string } | null = null;
  let overWith: number | null = null;
  for await (const message of messagesOf(there.output, fromHarnessSchema)) {
    if (message.kind === 'over') overWith = message.exitCode;
    else if (message.kind === 'clock') {
      clocks.push({ fromMs: message.of, toMs: preciseMs(), thereMs: message.ms });
    } else if (message.kind === 'record') {
      const record = { ...recordSchema.parse(message.record), command: again };
      const path = recordPath(given.out, startedAt, record.suite);
      received = { record, path: generator === 'here' ? path : beside(path, '-one-machine') };
      await saveJson(received.path, record);
    } else await generators.take(message);
  }
  const reason = (await there.ended) ?? `the run on ${host} ended early`;
  const difference = compareClocks(clocks);
  if (difference !== null) say(clockText(host, difference));
  if (received === null) {
    if (overWith !== null) throw new CommandExit(overWith);
    throw new UserError(reason, 'See its output above.');
  }
  const { record, path } = received;
  const isOver = overWith !== null;
  if (!isOver) say(`${reason}; this is what was measured until then.`);
  const isWhole = isOver && record.state === 'complete';
  const exitCode = await saveAndPrint(path, record, isWhole, command);
  return { record, exitCode, isOver };
}

function preciseMs(): number {
  return performance.timeOrigin + performance.now();
}

/** What is copied, and its name there: a suite's targets, or named servers and, for commands, the user's own folder. */
function packed({ words, rest, packages }: Invocation, chosen: readonly LocalTarget[]) {
  const place = initialCwd();
  const named = new Map(words.map((word) => [word, serverOfWord(word, place, packages)]));
  const targets = chosen.length > 0 ? chosen : [...named.values()];
  const isAtPlace = ({ directory }: LocalTarget) => chosen.length === 0 && directory === place;
  const others = targets.filter((target) => !isAtPlace(target));
  const copies = new Set(others.map(({ directory }) => directory));
  const folders: PackedFolder[] = [...copies].map((from) => ({
    from,
    to: join(FOLDER, basename(from)),
  }));
  if (rest !== null || others.length < targets.length) folders.unshift({ from: place, to: FOLDER });
  return {
    targets,
    folders,
    added: [...(chosen.length > 0 ? ['--packages', '.'] : []), '--out', RECORD],
    operand: (word: string) => {
      const directory = named.get(word)?.directory ?? place;
      return directory === place ? word : `./${basename(directory)}`;
    },
  };
}

/** Variables that servers get with the values they have here. */
function valuesOf({ env = [] }: GivenOptions): Record<string, string> {
  const names = env.flatMap(({ name, value }) => (value === null ? name : []));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
