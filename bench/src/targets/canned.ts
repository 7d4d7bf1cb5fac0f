import { CANNED_FOLDER } from '../base/places.ts';
import type { LocalTarget } from './targets.ts';

/**
 * A server that parses nothing and answers from a buffer: what it reaches is the most that any
 * server could reach here under this load, and so tells how much room a measurement had.
 */
export const CANNED: LocalTarget = {
  name: 'canned',
  label: 'canned raw TCP',
  suite: 'frameworks',
  over: null,
  start: ['node', 'main.js'],
  env: {},
  runtime: null,
  variantOf: null,
  port: 3099,
  request: { method: 'GET', path: '/' },
  expect: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Hello World!' },
  directory: CANNED_FOLDER,
};
