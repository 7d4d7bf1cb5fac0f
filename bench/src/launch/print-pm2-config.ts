/** The process that `ecosystem.config.js` asks for its apps: they go to stdout as JSON. */
import { explain } from '../base/errors.ts';
import { pm2Apps } from './pm2-app.ts';

try {
  console.log(JSON.stringify(pm2Apps(process.env.INSTANCES)));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
