import { addressOf, cpuOf, load, makeWorld, NOW, podAt, serviceAt } from '../network/world.mjs';
import { median } from '../service/http.mjs';

const SERVICES = 10_000;
const POLICIES = 500;
const NODES = 5_000;
const CONNECTS = 5_000;
const TRACES = 500;
const CHANGES = 2_000;
const RUNS = 5;

export const title = 'a packet through a ClusterIP';
/** Needs no service. */
export const alone = true;

const medianOf = (measure) => median(Array.from({ length: RUNS }, measure));

/** us for one connect, when every Service has been met once. */
async function connect(services, mode) {
  const { network } = await makeWorld({ services, mode, policies: POLICIES });
  const from = { pod: podAt(2) };
  const send = (i) => {
    const to = { address: addressOf(i % services), port: 80, protocol: 'tcp' };
    const { end } = network.send(from, to, i, NOW);
    if (end.port !== 8_080) throw new Error(`a connection ended as ${JSON.stringify(end)}`);
  };
  for (let i = 0; i < services; i++) send(i);
  return medianOf(() => cpuOf(CONNECTS, send));
}

/** ms for one trace, of a Service that was not met before. */
async function trace() {
  const [{ state, network }, { tracerOf }] = await Promise.all([
    makeWorld({ services: SERVICES, policies: POLICIES }),
    load('node/trace/trace.js'),
  ]);
  const ask = tracerOf({ network, listenerOf: () => 'summary', nameServerOf: () => undefined }, state);
  const end = (type, name) => ({ type, namespace: 'shop', name });
  return (
    medianOf(() =>
      cpuOf(TRACES, (i) => {
        const to = end('service', `s${(i * 17) % SERVICES}`);
        const answer = ask({ from: end('pod', 'pod-2'), to, protocol: 'TCP' }, NOW);
        if (answer.verdict !== 'Delivered') throw new Error(`a trace ended as ${JSON.stringify(answer)}`);
      }),
    ) / 1_000
  );
}

/** us for one change of a Service, every other one followed by a connect through it. */
async function change(nodes) {
  const { network, put } = await makeWorld({ nodes, services: 1_000, policies: 0 });
  const from = { pod: podAt(2) };
  return medianOf(() =>
    cpuOf(CHANGES, (i) => {
      const port = 80 + (i & 1);
      put('Services', serviceAt(i % 1_000, port));
      network.send(from, { address: addressOf(i % 1_000), port, protocol: 'tcp' }, i, NOW);
    }),
  );
}

export async function run() {
  const few = await connect(100, 'iptables');
  const many = await connect(SERVICES, 'iptables');
  const row = `connect through a ClusterIP, ${SERVICES.toLocaleString('en')} Services and ${POLICIES} policies`;
  const [one, all] = [await change(1), await change(NODES)];
  const changed = `a Service changes among ${NODES.toLocaleString('en')} nodes`;
  return [
    { row, value: many, unit: 'us', target: 50, better: 'less' },
    { row: `${row}: against 100 Services`, value: many / few, unit: 'x', target: 1.5, better: 'less' },
    { row: `${row}: ipvs`, value: await connect(SERVICES, 'ipvs'), unit: 'us', target: 50, better: 'less' },
    { row: `${row}: nftables`, value: await connect(SERVICES, 'nftables'), unit: 'us', target: 50, better: 'less' },
    {
      row: `trace, ${SERVICES.toLocaleString('en')} Services`,
      value: await trace(),
      unit: 'ms',
      target: 5,
      better: 'less',
    },
    { row: changed, value: all, unit: 'us', target: 500, better: 'less' },
    { row: `${changed}: against 1 node`, value: all / one, unit: 'x', target: 1.5, better: 'less' },
  ];
}
