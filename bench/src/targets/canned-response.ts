import { CANNED_FOLDER } from '../base/places.ts';
import { textExchange } from './exchange.ts';
import { type LocalTarget, TARGET_DEFAULTS } from './targets.ts';

/** A server that parses nothing. None can answer more under the same load, so it shows how much headroom there was. */
export const CANNED_RESPONSE: LocalTarget = {
  ...TARGET_DEFAULTS,
  name: 'canned',
  label: 'canned raw TCP',
  suite: 'frameworks',
  start: ['node', 'main.js'],
  port: 3099,
  requests: [textExchange('Hello World!', { headers: { 'content-type': 'text/plain' } })],
  directory: CANNED_FOLDER,
};
