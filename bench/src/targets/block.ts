import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { orUserError } from '../base/errors.ts';
import { SERVICE_NAMES } from '../services/index.ts';
import { type Exchange, encodedPath, HTTP_METHODS, isValidHeader, payloadOf } from './exchange.ts';

/** Text that can be an argument, a name or a path. */
const text = z.string().refine((value) => !value.includes('\0'), 'expected a text without NUL');
const someText = text.refine((value) => value !== '', 'expected a text that is not empty');
const commandSchema = z.tuple([someText], text);
const variableName = z
  .string()
  .regex(/^[^=\0]+$/, 'expected the name of a variable, without "=": its value comes after ":"');
const port = z.int().min(1).max(65535).nullable().default(null);
const word = z.string().min(1);

/** Scaling: processes under a manager; threads, whose number a variable gives; or processes that listen on one port. */
const scaleSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('processes') }),
  z.strictObject({ by: z.literal('threads'), env: variableName }),
  z.strictObject({ by: z.literal('reuse-port') }),
]);

const serviceNeedSchema = z.strictObject({
  /** The command that fills it, run in the target's folder; null if it stays empty. */
  seed: commandSchema.nullable().default(null),
  /** Files and folders that decide what it is filled with, beside the command and its own; null if unknown. */
  seedFiles: z.array(someText).nullable().default(null),
});

/** What every target has, however it was declared. */
export const TARGET_KEYS = {
  /** The command that measures it unless others are named; null for none. */
  suite: word.nullable().default(null),
  over: word.nullable().default(null),
  /** The target that this one differs from in one change, and a word for that change. */
  variantOf: word.nullable().default(null),
  variant: word.nullable().default(null),
  /** Programs that have to be on the PATH, and files that have to exist, as patterns of absolute paths. */
  needs: z.array(someText).default([]),
  /** The command that prepares it, run once before each run; null if there is nothing to do. */
  build: commandSchema.nullable().default(null),
  /** Where `start` and `build` run, relative to the target's folder. */
  cwd: someText.default('.'),
  start: commandSchema,
  /** Added to the environment that every server has. */
  env: z.record(variableName, text).default({}),
  /** Services that are started for each launch, shared with the other targets that declare them. */
  services: z.partialRecord(z.enum(SERVICE_NAMES), serviceNeedSchema).default({}),
  scale: scaleSchema.default({ by: 'processes' }),
  /** The port that `ecosystem.config.js` gives it; null if it is not started from there. */
  port,
  /** The port that it listens on, whatever it is told. */
  fixedPort: port,
};

/** The largest weight of a request: the order of a mix has as many places as all weights together. */
const MOST_WEIGHT = 1000;

const fileSchema = z.strictObject({ file: someText });
const headersSchema = z
  .record(z.string(), z.string())
  .refine((headers) => Object.entries(headers).every((each) => isValidHeader(...each)), {
    message: 'expected names and values as headers have them',
  })
  .default({});

const declaredRequest = z.strictObject({
  method: z.enum(HTTP_METHODS),
  path: z
    .string()
    .startsWith('/')
    .refine((path) => encodedPath(path) === path, 'expected a path as it is sent, as /caf%C3%A9'),
  headers: headersSchema,
  /** A text, a value to be sent as JSON, or a file. */
  body: z.union([z.string(), z.strictObject({ json: z.json() }), fileSchema]).optional(),
});

const BODY_KEYS = ['body', 'json', 'file', 'check'] as const;

const declaredExpectation = z
  .strictObject({
    status: z.int().min(100).max(599),
    headers: headersSchema,
    /** One of: the text, the value or the file that the body equals, or the command that checks it. */
    body: z.string().optional(),
    json: z.json().optional(),
    file: someText.optional(),
    /** Run in the target's folder, with the file of the answer as its last argument. */
    check: commandSchema.optional(),
  })
  .refine((said) => BODY_KEYS.filter((key) => said[key] !== undefined).length === 1, {
    path: ['body'],
    message: 'say one of body, json, file and check',
  });

const weightedRequest = declaredRequest.extend({
  weight: z.int().min(1).max(MOST_WEIGHT).default(1),
  expect: declaredExpectation,
});
/** What is sent to a target and what it answers: one request, or several. */
const declaredExchanges = {
  request: declaredRequest.optional(),
  expect: declaredExpectation.optional(),
  requests: z.array(weightedRequest).min(1).optional(),
};

/** The same target with one change, which its environment makes. */
const declaredVariant = z.strictObject({
  variant: word,
  /** The folder's own target by default. */
  variantOf: word.optional(),
  label: word.optional(),
  /** Both are added to those of the block. */
  env: TARGET_KEYS.env,
  services: TARGET_KEYS.services,
  /** In place of those of the block, for changes that change the answer. */
  ...declaredExchanges,
});

/** Used in lists, file names and results. */
const targetName = z
  .string()
  .regex(/^[\w.][\w.-]*$/, 'expected a name of letters, digits, "_", "." and "-"');

const blockSchema = z.strictObject({
  ...TARGET_KEYS,
  label: word.optional(),
  /** More targets of the folder, by name; whatever they don't change is as in the block. */
  variants: z.record(targetName, declaredVariant).default({}),
  ...declaredExchanges,
});

export const BLOCK_KEYS: readonly string[] = Object.keys(blockSchema.shape);

const EITHER = 'say either requests, or request and expect';
const WHOLE = 'expected object: say request and expect, or requests';

export const benchBlock = blockSchema.check(({ value, issues }) => {
  const problem = (message: string, ...path: string[]) => {
    issues.push({ code: 'custom', path, message, input: value });
  };
  const { label, request, expect, requests, variantOf, variant, variants } = value;
  if (label === undefined && variantOf === null) {
    problem('expected string: only a variant has one by itself', 'label');
  }
  if ((variantOf === null) !== (variant === null)) {
    problem('variantOf and variant come together', variant === null ? 'variant' : 'variantOf');
  }
  if (requests && (request || expect)) problem(EITHER, 'requests');
  for (const [name, own] of Object.entries(variants)) {
    // A variant gives nothing of this, or all of it in one form.
    const isWhole = own.requests ? !own.request && !own.expect : !own.request === !own.expect;
    if (!isWhole) problem(EITHER, 'variants', name);
  }
  if (!requests && !request) problem(WHOLE, 'request');
  if (!requests && !expect) problem(WHOLE, 'expect');
});

/** A block, not validated yet, with the contents of its request files. @throws UserError for a file without JSON. */
export function withRequestFiles(block: unknown, folder: string): unknown {
  const contents = someText.transform((file) => valueIn(folder, file));
  const part = z.looseObject({ requests: contents }).or(z.unknown());
  const whole = z.looseObject({ variants: z.record(z.string(), part) }).or(z.unknown());
  return whole.parse(part.parse(block));
}

type DeclaredRequest = z.infer<typeof declaredRequest>;
type DeclaredExchanges = Pick<z.infer<typeof benchBlock>, keyof typeof declaredExchanges>;

/** The exchanges of a block in one form, with the contents of its files. @throws UserError for a file it can't use. */
export function exchangesOf(declared: DeclaredExchanges, folder: string): Exchange[] {
  const { request, expect, requests } = declared;
  const single = request && expect ? [{ ...request, weight: 1, expect }] : [];
  return (requests ?? single).map(({ weight, expect: { status, headers, ...body }, ...sent }) => ({
    request: requestOf(sent, folder),
    weight,
    expect: { status, headers, body: expectedBodyOf(body, folder) },
  }));
}

function requestOf({ body, headers, ...line }: DeclaredRequest, folder: string) {
  if (body === undefined) return { ...line, headers, body: null };
  if (typeof body === 'string') return { ...line, headers, body: payloadOf(Buffer.from(body)) };
  if ('file' in body) return { ...line, headers, body: payloadOf(contentOf(folder, body.file)) };
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = isTyped ? {} : { 'content-type': 'application/json' };
  const json = payloadOf(Buffer.from(JSON.stringify(body.json)));
  return { ...line, headers: { ...headers, ...type }, body: json };
}

type DeclaredBody = Pick<z.infer<typeof declaredExpectation>, (typeof BODY_KEYS)[number]>;

function expectedBodyOf(
  { body, json, file, check }: DeclaredBody,
  folder: string,
): Exchange['expect']['body'] {
  if (check !== undefined) return { kind: 'check', command: check };
  if (json !== undefined) {
    const named = fileSchema.safeParse(json);
    return { kind: 'json', value: named.success ? valueIn(folder, named.data.file) : json };
  }
  const bytes = file === undefined ? Buffer.from(body ?? '') : contentOf(folder, file);
  return { kind: 'bytes', bytes: payloadOf(bytes) };
}

function contentOf(folder: string, file: string): Buffer {
  const problem = `${join(folder, 'package.json')}: bench names ${file}, which can't be read`;
  const next = "Name files from the target's folder on.";
  return orUserError(problem, next, () => readFileSync(join(folder, file)));
}

function valueIn(folder: string, file: string): z.core.util.JSONType {
  const text = contentOf(folder, file).toString('utf8');
  const problem = `${join(folder, file)} is no JSON`;
  const next = 'Correct the file; an answer that is not JSON is a "file" in place of "json".';
  return orUserError(problem, next, () => z.json().parse(JSON.parse(text)));
}
