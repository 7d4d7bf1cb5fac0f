/** Where records are saved, and how a run ends. */
import { tmpdir } from 'node:os';
import { join, parse, relative } from 'node:path';
import { explain, FAILED, INVALID } from '../base/errors.ts';
import { saveJson, saveText } from '../base/files.ts';
import { absolute, initialCwd, RESULTS } from '../base/places.ts';
import type { Invocation } from './command.ts';
import { type AnyRecord, pageText, printReport, reportOf } from './report.ts';

/** The path of a record: the file that was asked for, or `results/<time>-<name>.json`. */
export function recordPath(out: string | undefined, startedAt: Date, name: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return out === undefined ? join(RESULTS, `${time}-${name}.json`) : absolute(out);
}

/** The folder of a record, its name, and the file's ending: `run.json.gz` is the record `run`. */
export function partsOf(path: string): { folder: string; name: string; ending: string } {
  const { dir: folder, base } = parse(path);
  const { name } = parse(base.replace(/\.gz$/, ''));
  return { folder, name, ending: base.slice(name.length) };
}

/** A file beside this one, with a suffix to its name: `run-where.json` beside `run.json`. */
export function beside(path: string, suffix: string): string {
  const { folder, name, ending } = partsOf(path);
  return join(folder, `${name}${suffix}${ending}`);
}

export function asTyped(path: string): string {
  return relative(initialCwd(), path);
}

/** Saves a record (if that fails, in the temporary folder), prints it and makes its page. Returns the exit code. */
export async function saveAndPrint(
  path: string,
  record: AnyRecord,
  isWhole: boolean,
  { given, say, stdout, interrupts, isRelayed }: Invocation,
): Promise<number> {
  const said: string[] = [];
  // A result that can't be saved is still worth showing.
  const attempt = async (saving: Promise<void>, done: string) => {
    const error = await saving.then(() => null, explain);
    said.push(error ?? done);
    return error === null;
  };
  const asked = partsOf(path);
  const spare = join(tmpdir(), `${asked.name}-${process.pid}${asked.ending}`);
  let isFine = await attempt(saveJson(path, record), `Saved as ${asTyped(path)}`);
  const isSpared = !isFine && (await attempt(saveJson(spare, record), `Saved as ${spare} instead`));
  const report = reportOf(record);
  printReport(report, given, stdout);
  if (!isRelayed) {
    const { folder, name } = partsOf(isSpared ? spare : path);
    const page = join(folder, `${name}.html`);
    const saving = saveText(page, pageText([report]), 'page');
    if (!(await attempt(saving, `Its page: ${asTyped(page)}`))) isFine = false;
    for (const text of said) say(text);
  }
  const code = isFine && isWhole ? report.exitCode : FAILED;
  return interrupts.exitCode() ?? (isEmpty(record) ? INVALID : code);
}

/** Whether nothing was measured; the tables of a price show that themselves. */
function isEmpty(record: AnyRecord): boolean {
  if (record.schema === 'overhead.run') return record.slices.length === 0;
  return record.schema === 'overhead.methods' && record.measurements.length === 0;
}
