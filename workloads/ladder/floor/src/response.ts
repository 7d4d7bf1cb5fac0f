import type { ServerResponse } from 'node:http';
import { problemOf, statusOf } from 'ladder-common/errors';

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json; charset=utf-8';

export function sendText(response: ServerResponse, text: string): void {
  send(response, 200, TEXT, text);
}

export function sendJson(response: ServerResponse, value: object, status = 200): void {
  send(response, status, JSON_TYPE, JSON.stringify(value));
}

/** Answers what was thrown. */
export function sendError(response: ServerResponse, thrown: unknown): void {
  const status = statusOf(thrown);
  sendJson(response, problemOf(status), status);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, ['content-type', type, 'content-length', length]);
  response.end(text);
}
