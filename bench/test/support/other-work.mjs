/** Uses a fifth of a core in bursts, like other programs on a shared machine, until it or its parent ends. */
const PERIOD_MS = 2000;
const BUSY_MS = 400;
const startedBy = process.ppid;

setInterval(() => {
  if (process.ppid !== startedBy) process.exit();
  const endMs = performance.now() + BUSY_MS;
  while (performance.now() < endMs);
}, PERIOD_MS);
