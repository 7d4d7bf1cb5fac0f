import { CANNED_FOLDER } from '../base/places.ts';
import { textExchange } from './exchange.ts';
import { type LocalTarget, TARGET_DEFAULTS } from './targets.ts';

/**
 * A server that parses nothing and answers from a buffer: what it reaches is the most that any
 * server could reach here under this load, and so tells how much room a measurement had.
 */
export const CANNED: LocalTarget = {
  ...TARGET_DEFAULTS,
  name: 'canned',
  label: 'canned raw TCP',
  suite: 'frameworks',
  start: ['node', 'main.js'],
  port: 3099,
  requests: [
    textExchange(
      { method: 'GET', path: '/' },
      { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Hello World!' },
    ),
  ],
  directory: CANNED_FOLDER,
};
