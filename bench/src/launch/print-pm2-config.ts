/** Prints the apps of `ecosystem.config.js` as JSON; that file runs this one. */
import { explain } from '../base/errors.ts';
import { pm2Apps } from './pm2.ts';

try {
  console.log(JSON.stringify(pm2Apps(process.env.INSTANCES)));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
