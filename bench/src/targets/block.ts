import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import { SERVICE_NAMES } from '../services/index.ts';
import {
  canBeSent,
  type Exchange,
  type Expectation,
  HTTP_METHODS,
  payloadOf,
  sentPath,
} from './exchange.ts';

/** What the system takes as a word, a name or a path. */
const text = z.string().refine((value) => !value.includes('\0'), 'expected a text without NUL');
const someText = text.refine((value) => value !== '', 'expected a text that is not empty');
/** A program and its arguments. */
const commandSchema = z.tuple([someText], text);
const variableName = z
  .string()
  .regex(/^[^=\0]+$/, 'expected the name of a variable, without "=": its value comes after ":"');

/**
 * How a server uses so many cores: as so many processes under a manager, by so many threads of one process,
 * whose number a variable of the environment says, or as so many processes that listen on the same port.
 */
const scaleSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('processes') }),
  z.strictObject({ by: z.literal('threads'), env: variableName }),
  z.strictObject({ by: z.literal('reuse-port') }),
]);

const serviceNeedSchema = z.strictObject({
  /** What fills it: a program and its arguments, in the target's folder; null where nothing has to. */
  seed: commandSchema.nullable().default(null),
  /** Files and folders that, beside the command and its own, decide what it fills in; null for who knows what. */
  seedFiles: z.array(someText).nullable().default(null),
});

/** What a target is, however it was declared. */
export const COMMON = {
  /** The command that measures it unless others are named; null for none. */
  suite: z.string().min(1).nullable().default(null),
  over: z.string().min(1).nullable().default(null),
  /** The target that this one is with one thing changed, and what that is, in a word. */
  variantOf: z.string().min(1).nullable().default(null),
  variant: z.string().min(1).nullable().default(null),
  /** Programs that have to be on the PATH, and files that have to be there, as patterns from `/` on. */
  needs: z.array(someText).default([]),
  /** The command that makes it ready to start, once before each run; null where there is nothing to do. */
  build: commandSchema.nullable().default(null),
  /** Where `start` and `build` run, from the target's folder on. */
  cwd: someText.default('.'),
  start: commandSchema,
  /** Beside what every server has in its environment. */
  env: z.record(variableName, text).default({}),
  /** What is started for it, private to a launch, beside all others that declare it. */
  services: z.partialRecord(z.enum(SERVICE_NAMES), serviceNeedSchema).default({}),
  scale: scaleSchema.default({ by: 'processes' }),
  /** Where `ecosystem.config.js` has it listen; null where that is not to start it. */
  port: z.int().min(1).max(65535).nullable().default(null),
  /** The port that it listens on, whatever it is told. */
  fixedPort: z.int().min(1).max(65535).nullable().default(null),
};

/** The largest weight of a request: the order of a mix has as many places as all weights together. */
const MOST_WEIGHT = 1000;

const fileSchema = z.strictObject({ file: someText });
const headersSchema = z
  .record(z.string(), z.string())
  .refine((headers) => Object.entries(headers).every((each) => canBeSent(...each)), {
    message: 'expected names and values as headers have them',
  })
  .default({});

const declaredRequest = z.strictObject({
  method: z.enum(HTTP_METHODS),
  path: z
    .string()
    .startsWith('/')
    .refine((path) => sentPath(path) === path, 'expected a path as it is sent, as /caf%C3%A9'),
  headers: headersSchema,
  /** A text, a value as JSON, or what is in a file. */
  body: z.union([z.string(), z.strictObject({ json: z.json() }), fileSchema]).optional(),
});

const ONE_OF = ['body', 'json', 'file', 'check'] as const;

const declaredExpectation = z
  .strictObject({
    status: z.int().min(100).max(599),
    headers: headersSchema,
    /**
     * One of these: the text, the value or the file that it holds, the file that has every byte of it, or
     * the command that judges it.
     */
    body: z.string().optional(),
    json: z.json().optional(),
    file: someText.optional(),
    /** Run in the target's folder with the answer's file as its last word. */
    check: commandSchema.optional(),
  })
  .refine((said) => ONE_OF.filter((key) => said[key] !== undefined).length === 1, {
    path: ['body'],
    message: 'say one of body, json, file and check',
  });

/** What is sent to a target, and what it answers: one request, or several. */
const declaredExchanges = {
  request: declaredRequest.optional(),
  expect: declaredExpectation.optional(),
  requests: z
    .array(
      declaredRequest.extend({
        weight: z.int().min(1).max(MOST_WEIGHT).default(1),
        expect: declaredExpectation,
      }),
    )
    .min(1)
    .optional(),
};

/** The same target with one thing changed, which its environment says. */
const declaredVariant = z.strictObject({
  variant: z.string().min(1),
  /** The folder's own target unless it says otherwise. */
  variantOf: z.string().min(1).optional(),
  label: z.string().min(1).optional(),
  /** Beside that of the block. */
  env: COMMON.env,
  /** Beside those of the block. */
  services: COMMON.services,
  /** In place of what the block says, where the change makes another answer of it. */
  ...declaredExchanges,
});

/** As it stands in lists, names of files and results. */
const targetName = z
  .string()
  .regex(/^[\w.][\w.-]*$/, 'expected a name of letters, digits, "_", "." and "-"');

/** What a `bench` block may hold. */
const blockSchema = z.strictObject({
  ...COMMON,
  label: z.string().min(1).optional(),
  /** By name: targets of the same folder, with all else as the block says. */
  variants: z.record(targetName, declaredVariant).default({}),
  ...declaredExchanges,
});

/** The keys of a `bench` block. */
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
    // Nothing of what it is sent, or all of it, in one form.
    const isWhole = own.requests ? !own.request && !own.expect : !own.request === !own.expect;
    if (!isWhole) problem(EITHER, 'variants', name);
  }
  if (!requests && !request) problem(WHOLE, 'request');
  if (!requests && !expect) problem(WHOLE, 'expect');
});
type Exchanges = Pick<z.infer<typeof benchBlock>, keyof typeof declaredExchanges>;
type DeclaredRequest = z.infer<typeof declaredRequest>;

/**
 * What a block declares to be sent and answered, in one form, with what its files hold; they are named
 * from the target's folder on.
 * @throws UserError for a file that can't be read, or holds no JSON where it should.
 */
export function exchangesOf({ request, expect, requests }: Exchanges, folder: string): Exchange[] {
  const short = request && expect ? [{ ...request, weight: 1, expect }] : [];
  return (requests ?? short).map(({ weight, expect: declared, ...sent }) => ({
    request: requestOf(sent, folder),
    weight,
    expect: {
      status: declared.status,
      headers: declared.headers,
      body: answerOf(declared, folder),
    },
  }));
}

function requestOf(
  { method, path, headers, body }: DeclaredRequest,
  folder: string,
): Exchange['request'] {
  if (body === undefined) return { method, path, headers, body: null };
  if (typeof body === 'object' && 'json' in body) {
    const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    return {
      ...{ method, path },
      headers: isTyped ? headers : { ...headers, 'content-type': 'application/json' },
      body: payloadOf(Buffer.from(JSON.stringify(body.json))),
    };
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : contentOf(folder, body.file);
  return { method, path, headers, body: payloadOf(bytes) };
}

function answerOf(
  { body, json, file, check }: z.infer<typeof declaredExpectation>,
  folder: string,
): Expectation['body'] {
  if (check !== undefined) return { kind: 'check', command: check };
  if (json !== undefined) {
    const named = fileSchema.safeParse(json);
    return { kind: 'json', value: named.success ? valueIn(folder, named.data.file) : json };
  }
  const bytes = file === undefined ? Buffer.from(body ?? '') : contentOf(folder, file);
  return { kind: 'bytes', bytes: payloadOf(bytes) };
}

function contentOf(folder: string, file: string): Buffer {
  try {
    return readFileSync(join(folder, file));
  } catch (cause) {
    throw new UserError(
      `${join(folder, 'package.json')}: bench names ${file}, which can't be read: ${messageOf(cause)}`,
      "Name files from the target's folder on.",
      { cause },
    );
  }
}

function valueIn(folder: string, file: string): z.core.util.JSONType {
  const text = contentOf(folder, file).toString('utf8');
  try {
    return z.json().parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError(
      `${join(folder, file)} is no JSON: ${messageOf(cause)}`,
      'Correct the file, or expect it as "file", byte for byte.',
      { cause },
    );
  }
}
