/** Uses a fifth of a core in bursts, until it is ended: as other programs of a shared machine do. */
const PERIOD_MS = 2000;
const BUSY_MS = 400;

setInterval(() => {
  const endMs = performance.now() + BUSY_MS;
  while (performance.now() < endMs);
}, PERIOD_MS);
