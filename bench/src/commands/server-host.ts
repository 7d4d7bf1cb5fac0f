import { basename } from 'node:path';
import { UserError } from '../base/errors.ts';
import { FAILED } from '../base/exit-codes.ts';
import { saveJson } from '../base/json-file.ts';
import { BENCH, CODE_EXTENSION, IS_PACKAGE, ROOT, standing } from '../base/places.ts';
import { type Packed, pack } from '../launch/archive.ts';
import { startOnHost } from '../launch/server-host.ts';
import { GeneratorsHere } from '../load/generators-here.ts';
import { fromHarnessSchema, lineOf, type ToHarness } from '../load/relay.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { rewritten } from '../request/command-words.ts';
import type { RunRequest } from '../request/run-command.ts';
import { LEASE_S } from '../system/ssh.ts';
import { ofWord } from '../targets/named.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { startConsole } from './carry-out.ts';
import type { Io } from './command.ts';
import { conclude } from './conclude.ts';
import { recordPath } from './record-path.ts';

const SIGN_OF_LIFE_MS = (LEASE_S / 5) * 1000;
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
/** Options of this machine. */
const OF_HERE = new Set(['server-host', 'out', 'packages', 'json', 'plain', 'details', 'explain']);
/** Where the servers are there: folders that are named, or where the user stands. */
const FOLDER = 'servers';

/**
 * Measures on another machine, with the load from this one: copies the harness and the servers there, runs the command
 * there, and saves and prints its record here. Returns the exit code.
 */
export async function measureOnHost(
  host: string,
  argv: readonly string[],
  request: RunRequest,
  targets: readonly LocalTarget[],
  io: Io,
): Promise<number> {
  using runConsole = startConsole(io);
  const { interrupts, say } = runConsole;
  const startedAt = io.backend.clock.date();
  const moved = targets.length > 0 ? moveTargets(targets) : moveNamed(request);
  await using there = await startOnHost(host, () => {
    say(`Copying the harness and the servers to ${host}.`);
    const words = rewritten(argv, { without: OF_HERE, operand: moved.operand });
    return {
      archive: pack([OWN, ...moved.folders]),
      program: PROGRAM,
      args: [...words, ...moved.options, '--out', RECORD],
      environment: { INIT_CWD: FOLDER, ...valuesOf(request) },
    };
  });
  const send = (message: ToHarness) => there.send(lineOf(message));
  await using generators = new GeneratorsHere(send);
  using _living = everySignOfLife(() => send({ kind: 'alive' }));
  interrupts.soon.addEventListener('abort', () => send({ kind: 'signal', name: 'SIGINT' }));
  interrupts.now.addEventListener('abort', () => send({ kind: 'signal', name: 'SIGTERM' }));

  let received: { record: RunRecord; path: string } | null = null;
  let exitCode: number | null = null;
  for await (const line of there.lines) {
    const message = fromHarnessSchema.parse(JSON.parse(line));
    if (message.kind === 'over') exitCode = message.exitCode;
    else if (message.kind !== 'record') await generators.take(message);
    else {
      const record = { ...recordSchema.parse(message.record), command: request.again };
      received = { record, path: recordPath(request.options.out, startedAt, record.suite) };
      await saveJson(received.path, record);
    }
  }
  const trouble = await there.ended;
  if (received === null) {
    if (exitCode !== null) return exitCode;
    throw new UserError(trouble ?? `${host} ended without a record`, 'See what it said above.');
  }
  if (exitCode === null) say(`${trouble ?? `it ended on ${host}`}: this was measured until then.`);
  const { record, path } = received;
  const isWhole = exitCode !== null && record.state === 'complete';
  const measured = record.slices.length === 0 ? 'nothing' : isWhole ? 'all' : 'a part';
  const save = (to: string) => saveJson(to, record);
  const code = await conclude(path, record, save, measured, request.options, runConsole);
  return exitCode === null ? Math.max(code, FAILED) : code;
}

function everySignOfLife(tell: () => void): Disposable {
  const living = setInterval(tell, SIGN_OF_LIFE_MS);
  return { [Symbol.dispose]: () => clearInterval(living) };
}

/** What goes along, and how the command names it there. */
interface Moved {
  folders: Packed[];
  options: string[];
  operand: (word: string) => string;
}

/** Targets that a suite chooses: each in a folder of its name. */
function moveTargets(targets: readonly LocalTarget[]): Moved {
  const folders = new Set(targets.map(({ directory }) => directory));
  return {
    folders: [...folders].map((from) => ({ from, to: `${FOLDER}/${basename(from)}` })),
    options: ['--packages', '.'],
    operand: (word) => word,
  };
}

/** Servers that the command line names: folders under their names, and where the user stands for commands. */
function moveNamed({ words, rest, packages }: RunRequest): Moved {
  const place = standing();
  const named = words.map((word) => ({
    word,
    from: ofWord(word, place, packages).target.directory,
  }));
  const folders = named.filter(({ from }) => from !== place);
  const isAtPlace = rest !== null || folders.length < named.length;
  return {
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
