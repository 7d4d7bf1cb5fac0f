/**
 * What k6 runs, by plan.json beside it: requests at a rate, first a ramp and then a window, at whose end requests in
 * flight are cut off. It prints lines that `parseLine` in k6-script.ts reads, with ns since the start of the ramp.
 */
import exec from 'k6/execution';
import http from 'k6/http';

const { origin, exchanges, mix, ...plan } = JSON.parse(open('./plan.json'));
const { periodNs, rampNs, durationNs, timeoutMs, questions } = plan;

const TIMED_OUT = 1050;
const REFUSED = 1212;
/** A request belongs to the window if it begins in it. */
const BYTES = 'data_received{part:window}';

export const options = {
  scenarios: {
    loop: {
      executor: 'constant-arrival-rate',
      rate: 1,
      timeUnit: `${periodNs}ns`,
      duration: `${durationNs}ns`,
      preAllocatedVUs: plan.preAllocatedVUs,
      maxVUs: plan.maxVUs,
      gracefulStop: '0s',
    },
  },
  systemTags: [],
  // k6 reports a tagged metric separately if it has a threshold, even an empty one.
  thresholds: { [BYTES]: [] },
};

export const setup = () => ask('ready');
export const teardown = () => ask('over');

export default function () {
  const number = exec.scenario.iterationInTest;
  const begunNs = elapsedNs();
  const place = mix[number % mix.length];
  const { request, expect } = exchanges[place];
  exec.vu.metrics.tags.part = begunNs >= rampNs ? 'window' : 'ramp';
  console.log(`+ ${number} ${begunNs}`);
  const answer = http.request(request.method, origin + request.path, request.body, {
    headers: request.headers,
    redirects: 0,
    timeout: timeoutMs,
  });
  const endedNs = elapsedNs();
  // k6 sometimes gives this code to a request that it cut off at the end of the window; that one is in flight.
  if (answer.error_code === TIMED_OUT && endedNs - begunNs < timeoutMs * 1e6) return;
  console.log(`- ${number} ${endedNs} ${place} ${endingOf(answer, expect)}`);
  if (answer.error_code === REFUSED) ask('refused');
}

/** By the monotonic clock behind the progress: JavaScript's only has whole ms. */
function elapsedNs() {
  return Math.round(exec.scenario.progress * durationNs);
}

function endingOf(answer, expect) {
  if (answer.error_code === TIMED_OUT) return 'timedOut';
  // A status is no error, however high.
  if (answer.error !== '') return 'disconnected';
  if (answer.status !== expect.status) return 'wrongStatus';
  // k6 has no body for an answer without content.
  return expect.body === null || (answer.body ?? '') === expect.body ? 'ok' : 'wrongBody';
}

/** Pods of a cluster, which are started otherwise, ask nothing. */
function ask(question) {
  if (questions) http.get(`${questions}/${question}`);
}

export function handleSummary({ metrics }) {
  const countOf = (name) => metrics[name]?.values.count ?? 0;
  const told = { dropped: countOf('dropped_iterations'), bytes: countOf(BYTES) };
  return { [__ENV.OVERHEAD_SUMMARY || 'stdout']: `${JSON.stringify(told)}\n` };
}
