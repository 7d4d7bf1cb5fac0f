/**
 * What k6 runs, as the environment's OVERHEAD_PLAN says: requests at a rate, first a ramp and then a
 * window, at whose end what is in flight is cut off. It asks the generator `/ready` before the first
 * request, `/over` after the last, and `/refused` where the server refuses a connection. Times are in
 * ms since the start of the ramp.
 */
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';

const { origin, exchanges, mix, ...plan } = JSON.parse(__ENV.OVERHEAD_PLAN);
const { periodNs, rampMs, durationMs, timeoutMs, lateMs, quantiles, questions } = plan;

const TIMED_OUT = 1050;
const REFUSED = 1212;

const FATES = ['ok', 'wrongStatus', 'wrongBody', 'timedOut', 'disconnected'];
const counters = {};
for (const name of ['sent', 'late', ...FATES]) counters[name] = new Counter(name);
/** Of each exchange, in the window alone. */
const ANSWERED = ['ok', 'wrongStatus', 'wrongBody'];
const answers = exchanges.map((_, place) => {
  return Object.fromEntries(ANSWERED.map((name) => [name, new Counter(`${name}_${place}`)]));
});
const trends = {};
for (const name of ['latency', 'response', 'lateness']) trends[name] = new Trend(name);

/** k6's own counters among those that are told. */
const COUNTED = [...Object.keys(counters), 'iterations', 'dropped_iterations', 'data_received'];
/** A request is the window's when it begins in it. */
const OF_WINDOW = '{part:window}';

export const options = {
  scenarios: {
    loop: {
      executor: 'constant-arrival-rate',
      rate: 1,
      timeUnit: `${periodNs}ns`,
      duration: `${durationMs}ms`,
      preAllocatedVUs: plan.preAllocatedVUs,
      maxVUs: plan.maxVUs,
      gracefulStop: '0s',
    },
  },
  systemTags: [],
  summaryTrendStats: ['max', ...quantiles],
  // A threshold, even an empty one, makes k6 tell a metric's part apart.
  thresholds: Object.fromEntries(
    [...COUNTED, ...Object.keys(trends)].map((name) => [name + OF_WINDOW, []]),
  ),
};

export const setup = () => ask('ready');
export const teardown = () => ask('over');

export default function () {
  const begunMs = elapsedMs();
  const plannedMs = (exec.scenario.iterationInTest * periodNs) / 1e6;
  const place = mix[exec.scenario.iterationInTest % mix.length];
  const { request, expect } = exchanges[place];
  const isOfWindow = begunMs >= rampMs;
  exec.vu.metrics.tags.part = isOfWindow ? 'window' : 'ramp';
  counters.sent.add(1);
  trends.lateness.add(begunMs - plannedMs);
  if (begunMs - plannedMs > lateMs) counters.late.add(1);
  const answer = http.request(request.method, origin + request.path, request.body, {
    headers: request.headers,
    redirects: 0,
    timeout: timeoutMs,
  });
  const endedMs = elapsedMs();
  const fate = fateOf(answer, expect);
  counters[fate].add(1);
  if (isOfWindow) answers[place][fate]?.add(1);
  if (fate === 'ok') {
    trends.latency.add(endedMs - plannedMs);
    trends.response.add(endedMs - begunMs);
  }
  if (answer.error_code === REFUSED) ask('refused');
}

/** By the monotonic clock behind the progress: that of JavaScript has whole ms only. */
function elapsedMs() {
  return exec.scenario.progress * durationMs;
}

function fateOf(answer, expect) {
  if (answer.error_code === TIMED_OUT) return 'timedOut';
  // Another status is no error, however high.
  if (answer.error !== '') return 'disconnected';
  if (answer.status !== expect.status) return 'wrongStatus';
  // Of an answer without content k6 has no body at all.
  return expect.body === null || (answer.body ?? '') === expect.body ? 'ok' : 'wrongBody';
}

function ask(question) {
  http.get(`${questions}/${question}`);
}

export function handleSummary({ metrics }) {
  const countsOf = (part) => {
    return Object.fromEntries(
      COUNTED.map((name) => [name, metrics[name + part]?.values.count ?? 0]),
    );
  };
  const trendOf = (name) => {
    const { max, ...values } = metrics[name + OF_WINDOW].values;
    return { max, quantiles: quantiles.map((quantile) => values[quantile]) };
  };
  const told = {
    all: countsOf(''),
    window: countsOf(OF_WINDOW),
    answers: answers.map((_, place) => {
      const countOf = (name) => metrics[`${name}_${place}`]?.values.count ?? 0;
      return Object.fromEntries(ANSWERED.map((name) => [name, countOf(name)]));
    }),
    ...Object.fromEntries(Object.keys(trends).map((name) => [name, trendOf(name)])),
  };
  return { stdout: JSON.stringify(told) };
}
