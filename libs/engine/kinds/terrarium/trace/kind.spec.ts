import { expect, test } from '@jest/globals';
import type { Client, WriteContext } from '../../../machinery/client.js';
import type { TraceAnswer, TraceQuestion } from '../../../machinery/questions/trace.js';
import { context } from '../../testing.js';
import { kind, type Trace } from './kind.js';

const answer: TraceAnswer = {
  verdict: 'Delivered',
  reason: 'pod shop/db answers',
  address: '10.96.1.2',
  port: 5432,
  source: '10.244.1.2',
  hops: [],
};
const asked: TraceQuestion[] = [];
const withNetwork: WriteContext = {
  ...context,
  trace: (question) => {
    asked.push(question);
    return question.from.type === 'node' ? 'nodes "x" not found' : answer;
  },
};
const evaluate = (spec: unknown, by = withNetwork): Trace =>
  kind.evaluate!({ metadata: {}, spec } as unknown as Trace, {} as Client, by);

test('a question is answered', () => {
  const spec = { from: 'pod/shop/web', to: 'service/shop/db' };
  expect(evaluate(spec)).toEqual({ metadata: {}, spec, status: answer });
  expect(asked.at(-1)).toEqual({
    from: { type: 'pod', namespace: 'shop', name: 'web' },
    to: { type: 'service', namespace: 'shop', name: 'db' },
    protocol: 'TCP',
  });
  evaluate({ from: '10.0.0.1', to: 'db.shop', port: 53, protocol: 'UDP' });
  expect(asked.at(-1)).toMatchObject({ to: { type: 'name', name: 'db.shop' }, port: 53, protocol: 'UDP' });
});

const FORMS = 'must be pod/NAMESPACE/NAME, service/NAMESPACE/NAME, node/NAME, an address or a name';

test.each<[unknown, string]>([
  [undefined, '[spec.from: Required value, spec.to: Required value]'],
  [{ from: 'pod/web', to: '10.0.0.1', port: 80 }, `spec.from: Invalid value: "pod/web": ${FORMS}`],
  [{ from: 'pod/a/b', to: 7, port: 80 }, `spec.to: Invalid value: 7: ${FORMS}`],
  [
    { from: 'service/a/b', to: '10.0.0.1', port: 80 },
    'spec.from: Invalid value: "service/a/b": must be a pod, a node or an address',
  ],
  [{ from: 'pod/a/b', to: '10.0.0.1' }, 'spec.port: Required value: only a Service has ports of its own'],
  [
    { from: 'pod/a/b', to: '10.0.0.1', port: 65_536 },
    'spec.port: Invalid value: 65536: must be a port of 1 to 65535, or its name',
  ],
  [
    { from: 'pod/a/b', to: '10.0.0.1', port: 80, protocol: 'ICMP' },
    'spec.protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
  ],
  [{ from: 'pod/a/b', to: '10.0.0.1', port: 80, size: 1 }, 'spec: Invalid value: "size": unknown field'],
])('%j is refused', (spec, message) => {
  expect(() => evaluate(spec)).toThrow(message);
});

test('what is not there is said so', () => {
  expect(() => evaluate({ from: 'node/x', to: '10.0.0.1', port: 80 })).toThrow('nodes "x" not found');
  expect(() => evaluate({ from: 'pod/a/b', to: '10.0.0.1', port: 80 }, context)).toThrow('has no network');
});
