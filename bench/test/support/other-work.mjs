/** Uses a fifth of a core in bursts, as other programs of a shared machine do, until it or who started it is ended. */
const PERIOD_MS = 2000;
const BUSY_MS = 400;
const startedBy = process.ppid;

setInterval(() => {
  if (process.ppid !== startedBy) process.exit();
  const endMs = performance.now() + BUSY_MS;
  while (performance.now() < endMs);
}, PERIOD_MS);
