// `pnpm build && pnpm exec pm2 start ecosystem.config.js`: every target as a pm2 cluster, on the port
// that it declares. `--only fib-cpu` starts one of them, `INSTANCES=2` sets the number of processes.
const { pm2Apps } = require('./bench/src/launch/pm2-app.ts');

function apps() {
  try {
    return pm2Apps(process.env.INSTANCES);
  } catch (error) {
    // pm2 prints a config's error with its stack: leave the message and what to do.
    if (error.next) error.stack = `${error.message}. ${error.next}`;
    throw error;
  }
}

module.exports = { apps: apps() };
