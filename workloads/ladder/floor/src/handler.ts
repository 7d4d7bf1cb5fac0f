import type { RequestListener } from 'node:http';
import { HELLO, helloAnswer, paramsAnswer } from 'ladder-common/answers';
import { HttpError } from 'ladder-common/errors';
import type { Served, Settings } from 'ladder-common/rung';
import { askedOf } from './request.js';
import { sendError, sendJson, sendText } from './response.js';

/** What answers requests, and what has to be closed in the end. */
export interface Handler {
  listener: RequestListener;
  close: () => Promise<void>;
}

/** The handler of what is served; only what that needs is imported. */
export async function handlerOf({ serves, has }: Settings): Promise<Handler> {
  const handler = await HANDLERS[serves]();
  if (!has('log')) return handler;
  const { requestLog } = await import('ladder-common/request-log');
  return {
    ...handler,
    listener(request, response) {
      requestLog(request, response);
      handler.listener(request, response);
    },
  };
}

const ordered = async () => (await import('./ordered.js')).ordered;

const HANDLERS: Readonly<Record<Served, () => Promise<Handler>>> = {
  text: async () => simple((_request, response) => sendText(response, HELLO)),
  json: async () => simple((_request, response) => sendJson(response, helloAnswer())),
  error: async () => simple((_request, response) => sendError(response, thrown())),
  params: async () => {
    return simple((request, response) => sendJson(response, paramsAnswer(askedOf(request))));
  },
  body: async () => (await ordered()).body(),
  hooks: async () => (await ordered()).hooks(),
  log: async () => (await ordered()).hooks(),
  token: async () => (await ordered()).token(),
  row: async () => (await ordered()).row(),
};

function simple(listener: RequestListener): Handler {
  return { listener, close: async () => {} };
}

/** What a handler that throws has thrown. */
function thrown(): unknown {
  try {
    throw new HttpError(404);
  } catch (error) {
    return error;
  }
}
